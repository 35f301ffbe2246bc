/** Whether there is anything to read in it. Outside of ASCII all counts: tables of Unicode take long to set up. */
export function hasLetters(text: string): boolean {
  return /[A-Za-z0-9\u0080-\uffff]/.test(text);
}
