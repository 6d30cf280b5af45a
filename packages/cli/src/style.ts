/** Colours and line breaks, for people. */

/** Ways to set off a piece of text; all of them leave it alone when there are no colours. */
export interface Style {
  strong(text: string): string;
  quiet(text: string): string;
  name(text: string): string;
  warn(text: string): string;
}

/** The styles of a terminal, or none. */
export function createStyle(colours: boolean): Style {
  const sgr = (on: number, off: number) => (text: string) =>
    colours ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { strong: sgr(1, 22), quiet: sgr(2, 22), name: sgr(36, 39), warn: sgr(33, 39) };
}

/** Control characters would let a pasted message move the cursor or recolour the terminal. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
}

/** For what somebody decides by: whatever nobody sees, or would be taken for a blank, is spelled out. Line breaks and tabs are blanks. */
export function visible(text: string): string {
  const spelled = (char: string): string => `\\u{${char.codePointAt(0)?.toString(16)}}`;
  return text
    .replace(/[\t\n\r]+/g, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, spelled);
}

/** Breaks prose into lines of at most `width` characters; a longer word keeps a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines;
}

/** A label and its text, wrapped into a column of its own. */
export function field(style: Style, label: string, text: string, columns: number, indent = 2): string {
  const margin = indent + LABEL;
  const [first = '', ...rest] = wrap(text, columns - margin);
  const lines = [`${' '.repeat(indent)}${style.quiet(label.padEnd(LABEL))}${first}`];
  return [...lines, ...rest.map((line) => `${' '.repeat(margin)}${line}`)].join('\n');
}

const LABEL = 10;
