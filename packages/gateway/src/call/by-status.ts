/** Words under a status of HTTP that no message of MCP stands under: whoever reads them has to see the status, and no markup. */
import type { Fault } from '@mayday/core';
import { inOneLine } from '@mayday/core/http';
import type { Heard, SaidHttp } from '@mayday/relay';

/** The same, with words that can be told: a page in one line, and the status of a proxy's refusal beside its words. */
export function wordsByStatus({ status }: SaidHttp, heard: Heard): Heard {
  const { fault, dialect } = heard;
  const { message } = fault;
  const line = MARKUP.test(message) ? inOneLine(message) || `HTTP ${status}` : message;
  const isNamed = line.includes(String(status)) || dialect !== null || !isOfProxy(status, fault);
  const told = isNamed ? line : besideStatus(line.trim(), status);
  return told === message ? heard : { ...heard, fault: { ...fault, message: told } };
}

/** What spans lines stays as it came, below the status: a secret that is alone in its line is known by that. */
function besideStatus(words: string, status: number): string {
  return words.includes('\n')
    ? `HTTP ${status}:\n${words}`
    : `${words.replace(/[\s.]+$/, '')} (HTTP ${status})`;
}

const MARKUP = /^\s*<(?:!|\/?[a-z])/i;

/** Is it mostly said by who stands before a server? What refuses a request has words of its own for that. */
function isOfProxy(status: number, { kind }: Fault): boolean {
  return kind === 'forbidden' || status >= 500;
}
