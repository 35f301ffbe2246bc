/**
 * Addresses of what opens as a document: `/<what>/<id>/<name>.md`. The id alone counts; the name is for the tab.
 * - `memory`: an entry; - `episode`: what a session did; - `keep`: a draft of a memory made of an episode;
 * - `split`: a draft that takes over the answer of an entry; - `report`: the drift report; - `doctor`: what was examined.
 */
export const DOCUMENT_KINDS = ['memory', 'episode', 'keep', 'split', 'report', 'doctor'] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface Address {
  readonly kind: DocumentKind;
  readonly id: string;
}

/** At most 60 characters, none of them cut. */
const SHORT = /^.{0,60}/u;

/** The path of a document; `title` becomes the name of its tab. */
export function documentPath({ kind, id }: Address, title: string): string {
  return `/${kind}/${encodeURIComponent(id)}/${fileName(title)}.md`;
}

/** Null for the path of no document. */
export function addressOf(path: string): Address | null {
  const [empty, kind, id, name, ...rest] = path.split('/');
  const known = DOCUMENT_KINDS.find((one) => one === kind);
  // Editors look for other files beside a document, such as .editorconfig.
  const isNamed = name !== undefined && /[^]\.md$/.test(name);
  if (empty !== '' || known === undefined || !id || !isNamed || rest.length > 0) return null;
  try {
    return { kind: known, id: decodeURIComponent(id) };
  } catch {
    return null;
  }
}

/** Characters no file name may have are spaces; never empty, and never one that is relative. */
function fileName(title: string): string {
  const plain = title
    .replace(/[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|#%]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const short = (SHORT.exec(plain)?.[0] ?? '').replace(/[. ]+$/, '');
  return short === '' ? 'memory' : short;
}
