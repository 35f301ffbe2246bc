// Functions that run in the page: nothing from outside them is there.

/** A row of a tree or a quick pick as it is drawn. */
export interface Row {
  readonly index: number;
  readonly label: string;
  readonly description: string;
  /** Second line, in quick picks. */
  readonly detail: string;
  /** Title of the group that begins with this row, in quick picks. */
  readonly group: string;
  /** 1 for roots. */
  readonly level: number;
  /** Name of the codicon, or `image`; empty without one. */
  readonly icon: string;
  /** undefined: cannot be expanded. */
  readonly expanded: boolean | undefined;
  /** undefined: has no check box. */
  readonly checked: boolean | undefined;
  readonly selected: boolean;
  readonly focused: boolean;
  /** Drawn in another colour than the rows around it, or fainter. */
  readonly dimmed: boolean;
  readonly struck: boolean;
  /** Letters behind the label. */
  readonly decoration: string;
  readonly ariaLabel: string;
  /** Labels of the buttons in the row. */
  readonly actions: readonly string[];
}

export function readRows(list: Element): Row[] {
  const text = (element: Element | null | undefined) =>
    element?.textContent.replace(/\s+/g, ' ').trim() ?? '';
  const truth = (value: string | null | undefined) => (value == null ? undefined : value === 'true');
  const codicon = (element: Element | null) =>
    [...(element?.classList ?? [])]
      .find((name) => /^codicon-(?!modifier)/.test(name))
      ?.slice('codicon-'.length);
  const iconOf = (row: Element, label: Element | null) => {
    const icon = row.querySelector('.custom-view-tree-node-item-icon, .quick-input-list-icon');
    if (icon === null) return codicon(label?.querySelector('.codicon') ?? null) ?? '';
    return codicon(icon) ?? (getComputedStyle(icon).backgroundImage === 'none' ? '' : 'image');
  };
  const read = (row: Element): Row => {
    const container = row.querySelector('.monaco-icon-label');
    const label = row.querySelector('.label-name');
    const style = getComputedStyle(label ?? row);
    const after = container === null ? '' : getComputedStyle(container, '::after').content;
    const actions = row.querySelectorAll(
      '.actions .action-label, .quick-input-list-entry-action-bar .action-label',
    );
    return {
      index: Number(row.getAttribute('data-index')),
      label: text(label ?? row),
      description: text(row.querySelector('.label-description')),
      detail: text(row.querySelector('.quick-input-list-label-meta')),
      group: text(row.querySelector('.quick-input-list-separator')),
      level: Number(row.getAttribute('aria-level') ?? 1),
      icon: iconOf(row, label),
      expanded: truth(row.getAttribute('aria-expanded')),
      checked: truth(
        row.querySelector('[role=checkbox], .monaco-custom-toggle')?.getAttribute('aria-checked'),
      ),
      selected: row.classList.contains('selected'),
      focused: row.classList.contains('focused'),
      dimmed: style.color !== getComputedStyle(row).color || Number(style.opacity) < 1,
      struck: style.textDecorationLine.includes('line-through'),
      decoration: /^(none|normal)?$/.test(after) ? '' : after.replaceAll('"', ''),
      ariaLabel: row.getAttribute('aria-label') ?? '',
      actions: [...actions]
        .map((action) => action.getAttribute('aria-label') ?? '')
        .filter((name) => name !== ''),
    };
  };
  return [...list.querySelectorAll('.monaco-list-row')].map(read);
}

/** Turns the wheel over a list: to its start, on by about half of it, or `around`: on, from the end to the start. */
export async function scroll(list: Element, direction: 'start' | 'on' | 'around'): Promise<void> {
  const area = list.querySelector('.monaco-scrollable-element') ?? list;
  const positions = () =>
    [...list.querySelectorAll('.monaco-list-row')].map((row) => row.getAttribute('data-index')).join();
  const turn = async (deltaY: number) => {
    const before = positions();
    area.dispatchEvent(new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true }));
    for (let frame = 0; frame < 2; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
    return positions() !== before;
  };
  const start = -1e6;
  if (direction === 'start') await turn(start);
  else if (!(await turn(list.clientHeight / 2)) && direction === 'around') await turn(start);
}
