const BLANK = /[ \t\r\n]*/y;
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const NUMBER_OR_WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Where a text stops being JSON (RFC 8259), as the offset of the first token that does not fit, in UTF-16 units; null
 * where it is JSON. The engine's own message does not always say it.
 */
export function jsonFault(text: string): number | null {
  let at = 0;
  const take = (token: RegExp | string): boolean => {
    skip(BLANK);
    if (typeof token !== 'string') return skip(token);
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    return true;
  };
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const list = (item: () => boolean, end: string): boolean => {
    if (take(end)) return true;
    do {
      if (!item()) return false;
    } while (take(','));
    return take(end);
  };
  const value = (): boolean => {
    if (take('{')) return list(() => take(STRING) && take(':') && value(), '}');
    if (take('[')) return list(value, ']');
    return take(STRING) || take(NUMBER_OR_WORD);
  };
  const isValue = value();
  skip(BLANK);
  return isValue && at === text.length ? null : at;
}
