/** Long texts are redacted and cut. Half a secret is not known to be one: nothing is told from where a cut was made before. */

/** The longest secret that is found across a cut. */
export const SLACK = 1024;

/** How much has to be read of a text of this length, to tell so much of it. */
export function toRead(length: number, told: number): number {
  return length <= told ? length : Math.min(length, told + SLACK);
}

/** What is told of what was read, once it is clean: without its end, where a secret may have lost its own. */
export function toTell(clean: string, read: number, told: number): string {
  return read <= told ? clean : clean.slice(0, Math.max(0, Math.min(told, clean.length - (read - told))));
}

/** The beginning of a text, clean. */
export function cleanStart(text: string, told: number, clean: (text: string) => string): string {
  const read = toRead(text.length, told);
  return toTell(clean(text.slice(0, read)), read, told);
}

/** The same, and how much more there is. */
export function cleanStartOf(text: string, told: number, clean: (text: string) => string): string {
  const start = cleanStart(text, told, clean);
  return text.length <= told ? start : `${start}\n… (${text.length - told} more characters)`;
}
