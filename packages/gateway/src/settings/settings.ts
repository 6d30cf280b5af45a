/** The settings, resolved: checked, complete, and named as the code names things. */
import type { Resolved, Rows, Written } from './rows.ts';
import { COMMAND, COMMON, type GENERAL, GIVEN, KEPT, OPENAPI, URL_FORM, type VIRTUAL } from './table.ts';

/** What all upstreams have in common. */
export type CommonSettings = Resolved<typeof COMMON> & {
  readonly name: string;
  /** Variables that it needs and that are not set: it cannot be used. */
  readonly unset?: readonly string[] | undefined;
};

type KeptSettings = CommonSettings & Resolved<typeof KEPT>;

type HttpSettings = KeptSettings & Resolved<typeof GIVEN>;

/** A server process. */
export type CommandSettings = KeptSettings & Resolved<typeof COMMAND> & { readonly type: 'command' };

/** A server over HTTP. */
export type UrlSettings = HttpSettings & Resolved<typeof URL_FORM> & { readonly type: 'url' };

/** An HTTP API with an OpenAPI document. */
export type OpenApiSettings = HttpSettings & Resolved<typeof OPENAPI> & { readonly type: 'openapi' };

/** One server behind the gateway. */
export type UpstreamSettings = CommandSettings | UrlSettings | OpenApiSettings;

/** A server that is made of tools of others. */
export type VirtualSettings = Resolved<typeof VIRTUAL> & { readonly name: string };

/** All settings. */
export interface Settings extends Resolved<typeof GENERAL> {
  /** By name, in the order of the file. */
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>;
  /** By name, in the order of the file; no upstream has one of these names. */
  readonly virtual: ReadonlyMap<string, VirtualSettings>;
}

/** One caller's key. */
export type KeySettings = Settings['keys'][number];

/** Callers with access tokens. */
export type OAuthSettings = Settings['oauth'];

/** Whoever makes their tokens. */
export type IssuerSettings = OAuthSettings['issuers'][number];

/** One server behind the gateway, as a file has it. */
export type UpstreamFile = Written<typeof COMMON> &
  Written<typeof KEPT> &
  (Written<typeof COMMAND> | (Written<typeof GIVEN> & (Written<typeof OPENAPI> | Written<typeof URL_FORM>)));

/** All settings, as a file has them. */
export type SettingsFile = Written<typeof GENERAL> & {
  readonly upstreams: { readonly [name: string]: UpstreamFile };
  readonly virtual?: { readonly [name: string]: Written<typeof VIRTUAL> } | undefined;
};

/** The forms an upstream can have, by the setting that tells them apart. */
export const FORMS: { readonly [type in UpstreamSettings['type']]: Rows } = {
  command: merged(merged(COMMON, KEPT), COMMAND),
  url: merged(merged(merged(COMMON, KEPT), GIVEN), URL_FORM),
  openapi: merged(merged(merged(COMMON, KEPT), GIVEN), OPENAPI),
};

/** A form begins with what is its own; a group that both parts have is one group. */
function merged(common: Rows, own: Rows): Rows {
  const all: { [name: string]: Rows[string] } = { ...own, ...common };
  for (const [name, row] of Object.entries(own)) {
    const shared = common[name];
    if (shared !== undefined && 'group' in shared && 'group' in row)
      all[name] = { ...shared, group: { ...shared.group, ...row.group } };
  }
  return all;
}
