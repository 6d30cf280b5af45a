/** What is wrong with a file, told so that it can be found and mended. */
import { redact } from '@mayday/core/redact';

/** Steps that lead to a setting. */
export type Path = readonly (string | number)[];

/** Takes what is wrong with a setting. */
export type Report = (path: Path, message: string) => void;

/** One mistake, or one thing to know. */
export interface SettingsProblem {
  /** From 1; 0 when the settings came from no file. */
  readonly line: number;
  /** `upstreams.files.timeout_ms` */
  readonly path: string;
  readonly message: string;
}

/** Settings that cannot be used. Its message has a line for every mistake. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[], file?: string) {
    super(problems.map((problem) => formatProblem(problem, file)).join('\n'));
    this.problems = problems;
  }
}

/** `mayday.yaml:5: upstreams.files.timeout: Unknown setting; did you mean timeout_ms?` */
export function formatProblem({ line, path, message }: SettingsProblem, file?: string): string {
  const where = line === 0 ? '' : `${file ?? 'settings'}:${line}: `;
  // A secret may stand where a name belongs: `headers: { ghp_…: 1 }`.
  const { value: at } = redact(path, { level: 'secrets' });
  return `${where}${at === '' ? '' : `${at}: `}${message}`;
}
