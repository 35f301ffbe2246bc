/** Whether `text` names one of `ids`: as a whole word, so that `episode-12` does not name `episode-1`. */
export function mentions(text: string, ids: ReadonlySet<string>): boolean {
  if (text.split(/[^\w-]+/).some((word) => ids.has(word))) return true;
  for (const id of ids) if (/[^\w-]/.test(id) && text.includes(id)) return true;
  return false;
}
