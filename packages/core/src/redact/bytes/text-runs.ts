/** Texts that stand in bytes which are none: in programs, memory, databases, pictures. */

/** Letters that follow each other, each in one byte or in the first or second of two. */
export interface TextRun {
  /** Where its first letter stands. */
  readonly start: number;
  /** From one letter to the next. */
  readonly step: 1 | 2;
  readonly length: number;
}

/** Shorter ones stand in any bytes by chance, and hold no secret that is one for sure. */
const SHORTEST = 12;

/** All of them, in one pass each for narrow and wide letters. */
export function textRuns(bytes: Uint8Array): TextRun[] {
  const runs = narrowRuns(bytes);
  addWideRuns(bytes, runs);
  return runs;
}

/** Those of a letter in each byte. */
export function narrowRuns(bytes: Uint8Array): TextRun[] {
  const runs: TextRun[] = [];
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && isLetter(bytes[at])) continue;
    if (at - start >= SHORTEST) runs.push({ start, step: 1, length: at - start });
    start = at + 1;
  }
  return runs;
}

/** A zero behind each letter, or before it, which is the same but for the first. */
function addWideRuns(bytes: Uint8Array, runs: TextRun[]): void {
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    while (isLetter(bytes[at]) && bytes[at + 1] === 0) at += 2;
    if (isLetter(bytes[at])) at++; // the last one, where zeros stand before letters
    const length = (at - start + 1) >> 1;
    if (length >= SHORTEST) runs.push({ start, step: 2, length });
    if (at === start) at++;
  }
}

function isLetter(byte = 0): boolean {
  return (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13;
}

/** What a run says. */
export function textOfRun(bytes: Uint8Array, { start, step, length }: TextRun): string {
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode(bytes[start + i * step] ?? 0);
  return text;
}
