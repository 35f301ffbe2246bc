/** The name that takes the fewest edits to reach, or null where every one takes more than half its length. */
export function nearestName(wrong: string, names: readonly string[]): string | null {
  let nearest: string | null = null;
  let fewest = Infinity;
  for (const name of names) {
    const edits = editDistance(wrong.slice(0, 100).toLowerCase(), name);
    if (edits < fewest && edits <= name.length / 2) [nearest, fewest] = [name, edits];
  }
  return nearest;
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
