/** Issues in Zod's form, from whoever found them: the document's `{path, message, code}`. */
import type { Issue, Json } from '../../fault.ts';

/** An issue with Zod's words and code. */
export function zodIssue(issue: Issue): Json {
  const { path, message, code } = spelt(issue);
  return { path: [...path], message, code };
}

/** An issue in one line, as the document has it: `path: message`. */
export function zodLine(issue: Issue): string {
  const { path, message } = spelt(issue);
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

const SUGGESTION = / \(you sent .{1,64}, did you mean .{1,64}\?\)$/;
const REQUIRED = /^required(?:, expected (.{1,200}))?$/;
const EXPECTED = /^expected (?:one of )?/;

/** What the kit and others say in fewer words, in Zod's. */
function spelt(issue: Issue): Required<Issue> {
  const { path, code } = issue;
  const message = issue.message.replace(SUGGESTION, '');
  if (code === 'required') {
    const expected = REQUIRED.exec(message)?.[1] ?? 'nonoptional';
    return { path, message: `Invalid input: expected ${expected}, received undefined`, code: 'invalid_type' };
  }
  if (code === 'unrecognized_keys' && message.startsWith('unknown argument')) {
    const [key, ...above] = [...path].reverse();
    return { path: above.reverse(), message: `Unrecognized key: "${String(key)}"`, code };
  }
  const expected = EXPECTED.exec(message);
  const about = expected?.[0].endsWith('of ') === true ? 'Invalid option' : 'Invalid input';
  const whole = expected === null ? message : `${about}: ${message}`;
  return { path, message: whole, code: code ?? codeIn(whole) };
}

/** What Zod calls it, where only its sentence came. */
function codeIn(message: string): string {
  if (/^Invalid input: expected .*, received /.test(message)) return 'invalid_type';
  if (/^Invalid (?:option|input): expected /.test(message)) return 'invalid_value';
  if (/^Too (?:big|small): /.test(message)) return message.startsWith('Too big') ? 'too_big' : 'too_small';
  if (/^Unrecognized keys?: /.test(message)) return 'unrecognized_keys';
  return /^Invalid (?:string|email|url|uuid|ISO)\b/i.test(message) ? 'invalid_format' : 'custom';
}
