/** The vocabulary of the settings table, and the types that follow from it. */
import type { DialectId } from '@mayday/core';

/** What a setting holds once it is resolved, by the type of its row. */
interface Held {
  readonly flag: boolean;
  readonly count: number;
  readonly ms: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly bytes: number;
  readonly text: string;
  readonly secret: string;
  readonly choice: string;
  readonly choices: readonly string[];
  readonly dialect: DialectId;
  readonly names: readonly string[];
  readonly strings: { readonly [name: string]: string };
  readonly counts: { readonly [name: string]: number };
  /** Names of tools, each with another name for it. */
  readonly renames: { readonly [name: string]: string };
  /** Names, each with a text about it. */
  readonly texts: { readonly [name: string]: string };
  readonly headers: { readonly [name: string]: string };
  /** The name of a header. */
  readonly header_name: string;
  /** Origins; `https://*.example.com` is all below. */
  readonly origins: readonly string[];
  /** Names in a `Host` header; `*` is any. */
  readonly hosts: readonly string[];
  /** Origins in an `Origin` header; `*` is any. */
  readonly web_origins: readonly string[];
  readonly url: URL;
  /** An absolute path. */
  readonly path: string;
  /** A URL or an absolute path. */
  readonly document: string;
  /** As `openStore` takes it: an absolute path, or a URL of anything but a file. */
  readonly store: string;
}

/** When a changed setting takes effect. */
export type Reload = 'now' | 'restart';

/** One setting. Exactly one of `default`, `optional`, `required` and `inherits` says what holds without it. */
export interface Row {
  readonly type: keyof Held;
  /** What it is for, in a sentence. */
  readonly about: string;
  readonly default?: unknown;
  readonly optional?: true;
  readonly required?: true;
  /** The general setting that holds unless this one is set. */
  readonly inherits?: readonly string[];
  /** It is another name of this setting beside it. */
  readonly alias?: readonly string[];
  /** The values of a `choice`, or of `choices`. */
  readonly of?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly reload?: Reload;
}

/** Settings that belong together, or one that turns them off with `false`. */
export interface Group {
  readonly about: string;
  readonly group: Rows;
  readonly off?: true;
  /** The setting that is meant where a text stands in place of the group. */
  readonly short?: string;
  /** The setting without which the others mean nothing: where the group is written, it is too. */
  readonly needs?: string;
  readonly reload?: Reload;
}

/** Any number of the same settings; told apart by their `name`. */
export interface List {
  readonly about: string;
  readonly list: Rows;
  readonly reload?: Reload;
}

/** A part of the table. */
export interface Rows {
  readonly [name: string]: Row | Group | List;
}

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

type Value<R> = R extends { of: readonly (infer V)[] }
  ? R extends { type: 'choices' }
    ? readonly V[]
    : V
  : R extends { type: infer T extends keyof Held }
    ? Held[T]
    : never;

/** A part of the table with every default filled in and names as the code has them. */
export type Resolved<T> = {
  readonly [K in keyof T & string as T[K] extends { alias: unknown } ? never : Camel<K>]: T[K] extends {
    group: infer G;
  }
    ? T[K] extends { off: true }
      ? false | Resolved<G>
      : Resolved<G>
    : T[K] extends { list: infer L }
      ? readonly Resolved<L>[]
      : T[K] extends { optional: true }
        ? Value<T[K]> | undefined
        : Value<T[K]>;
};

type Typed<R> = R extends { group: infer G }
  ? R extends { off: true }
    ? false | Written<G>
    : R extends { short: string }
      ? string | Written<G>
      : Written<G>
  : R extends { list: infer L }
    ? readonly Written<L>[]
    : R extends { type: 'url' }
      ? string
      : Value<R>;

/** A part of the table as a file has it. */
export type Written<T> = {
  readonly [K in keyof T as T[K] extends { required: true } ? K : never]: Typed<T[K]>;
} & {
  readonly [K in keyof T as T[K] extends { required: true } ? never : K]?: Typed<T[K]> | undefined;
};

/** A name of the file as the code has it. */
export function toCamel(name: string): string {
  return name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
