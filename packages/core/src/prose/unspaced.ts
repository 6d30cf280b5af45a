/** Phrases of languages that put no blanks between words. */
import type { Kind } from '../kinds.ts';
import { UNSPACED } from './languages.ts';
import { finding } from './match.ts';
import type { Finding } from './verdict.ts';

interface Unspaced {
  readonly kind: Kind;
  readonly weight: number;
  readonly type: string | undefined;
  readonly form: RegExp;
}

let forms: readonly Unspaced[] | undefined;

/** Finds them. */
export function findUnspaced(text: string, findings: Finding[]): void {
  forms ??= UNSPACED.map((line) => {
    const [, kind = '', type, weight, form = ''] = /^(\w+)(?:\/(\w+))? (\d+): (.*)$/.exec(line) ?? [];
    return { kind: kind as Kind, weight: Number(weight), type, form: new RegExp(form) };
  });
  for (const { kind, weight, type, form } of forms) {
    const hit = form.exec(text)?.[0];
    if (hit === undefined) continue;
    const subject = type === undefined ? undefined : { type };
    findings.push(finding('phrase', kind, weight, `"${hit}"`, undefined, subject));
  }
}
