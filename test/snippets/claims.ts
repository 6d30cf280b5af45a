/** Lines that show a value: `call(x); // value`, or the value in the comment below. */

const LITERAL = /^(?:'(?:[^'\\]|\\.)*'|-?\d[\d_.]*|true|false|undefined|null|\[.*\]|\{.*\})(?=$|[\s:,;.])/s;

/** What a fault says of whether it happened, in the comment behind what has one. */
const EXECUTED = /^executed ('\w+')/;

/** Code with each such line as a note of the expression, what it gives and what it is said to give. */
export function noting(code: string): { readonly code: string; readonly count: number } {
  let count = 0;
  const note = (line: string, head: string, expression: string, comment: string): string => {
    const executed = EXECUTED.exec(comment)?.[1];
    const value = executed ?? LITERAL.exec(comment)?.[0];
    const member = executed === undefined ? '' : '.fault.executed';
    if (
      value === undefined ||
      value.includes('…') ||
      /^(?:const|let|import|export|return|throw)\b/.test(expression)
    )
      return line;
    count += 1;
    return `${head}__note(${JSON.stringify(expression)}, ${expression}${member}, ${value});`;
  };
  const below = code.replace(
    /^()([^\s/].*);\n((?:\/\/ .*(?:\n|$))+)/gm,
    (line, head: string, expression: string, comment: string) =>
      note(line, head, expression, comment.replaceAll(/^\/\/ /gm, '').trim()),
  );
  const noted = below.replace(
    /^( *(?:if \([^\n]*?\) )?)([^\s/].*); \/\/ (.+)$/gm,
    (line, head: string, expression: string, comment: string) => note(line, head, expression, comment),
  );
  return { code: noted, count };
}
