/** What a process lacks, where a library that checks settings says so over several lines. */

/** One thing that it complains of. */
interface Complaint {
  /** `ACME_TOKEN`, or `servers.0.url` */
  readonly name: string;
  /** What is wrong with it; nothing where it is missing. */
  readonly wrong: string | undefined;
}

/** What is wrong, and what to do about it; as in `start-trouble.ts`. */
interface Trouble {
  readonly why: string;
  readonly advice: string;
}

/** So many lines of one complaint are read. */
const MAX_LINES = 60;
/** So many names are told. */
const MAX_NAMES = 5;

/** Names the variables or settings that are missing or wrong. */
export function unfitSettings(lines: readonly string[]): Trouble | undefined {
  const found = [...inZod(lines), ...inPydantic(lines), ...inEnviron(lines)];
  const variables = found.filter(({ name }) => VARIABLE.test(name));
  const missing = variables.filter(({ wrong }) => wrong === undefined);
  if (missing.length > 0) {
    const names = listed(missing.map(({ name }) => name));
    const isOne = missing.length === 1;
    return {
      why: `the ${isOne ? 'variable' : 'variables'} ${names} ${isOne ? 'is' : 'are'} not set`,
      advice: `Set ${names} under \`env\` of this server.`,
    };
  }
  const [variable] = variables;
  if (variable !== undefined)
    return {
      why: `the variable ${variable.name} is not valid: ${variable.wrong}`,
      advice: `Correct ${variable.name} under \`env\` of this server.`,
    };
  const absent = found.filter(({ wrong }) => wrong === undefined);
  if (absent.length > 0) {
    const isOne = absent.length === 1;
    return {
      why: `its ${isOne ? 'setting' : 'settings'} ${listed(absent.map(({ name }) => name))} ${isOne ? 'is' : 'are'} missing`,
      advice: isOne ? GIVE_IT : GIVE_IT.replace('it', 'them'),
    };
  }
  const [setting] = found;
  if (setting === undefined) return undefined;
  return { why: `its setting ${setting.name} is not valid: ${setting.wrong}`, advice: GIVE_IT };
}

const GIVE_IT = 'Give it under `env` or `args` of this server, or in the file that the server reads.';
const VARIABLE = /^[A-Z][A-Z0-9_]{2,60}$/;
const ZOD = /\bZodError: \[|\binvalid environment variables\b.{0,40}[[{]\s*$/i;
const PATH = /["']?\bpath["']?: ?\[([^\]]{1,200})\]/g;
const MESSAGE = /["']?\bmessage["']?: ?(?:"((?:[^"\\]|\\.){1,200})"|'((?:[^'\\]|\\.){1,200})')/;

/** A list of issues, as JSON or as Node prints it, which may be cut off. */
function inZod(lines: readonly string[]): readonly Complaint[] {
  const start = lines.findLastIndex((line) => ZOD.test(line.slice(0, MAX_LINE)));
  if (start < 0) return [];
  const text = lines
    .slice(start, start + MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE).trim())
    .join(' ');
  const paths = [...text.matchAll(PATH)];
  return paths.flatMap(({ 0: all, 1: inside = '', index }, at) => {
    const name = inside
      .split(',')
      .map((step) => step.trim().replace(/^["']|["']$/g, ''))
      .join('.');
    const [, double, single] = MESSAGE.exec(text.slice(index + all.length, paths[at + 1]?.index)) ?? [];
    const message = double ?? single;
    const isMissing = message === undefined || /\brequired\b|\breceived undefined\b/i.test(message);
    return name === '' ? [] : [{ name, wrong: isMissing ? undefined : message }];
  });
}

const MAX_LINE = 1000;

/** The name on a line of its own, and below it what is wrong. */
function inPydantic(lines: readonly string[]): readonly Complaint[] {
  return lines.flatMap((line, at) => {
    const [, name] = /^([A-Za-z_][\w.]{0,80})\s*$/.exec(lines[at - 1] ?? '') ?? [];
    const [, wrong = '', type] = /^\s+(.{1,200}?) \[type=(\w{1,40}),/.exec(line.slice(0, MAX_LINE)) ?? [];
    if (name === undefined || type === undefined) return [];
    return [{ name, wrong: type === 'missing' ? undefined : wrong }];
  });
}

/** Python says what it looked for, and only a line of the program says where. */
function inEnviron(lines: readonly string[]): readonly Complaint[] {
  const isLookedUp = lines.some((line) => /\benviron\b/.test(line.slice(0, MAX_LINE)));
  const missed = isLookedUp ? lines.map((line) => /^KeyError: '([^']{1,61})'/.exec(line)?.[1]) : [];
  return missed.flatMap((name) =>
    name !== undefined && VARIABLE.test(name) ? [{ name, wrong: undefined }] : [],
  );
}

function listed(names: readonly string[]): string {
  const told = [...new Set(names)].slice(0, MAX_NAMES);
  return told.length < 2 ? told.join('') : `${told.slice(0, -1).join(', ')} and ${told.at(-1)}`;
}
