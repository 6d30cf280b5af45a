/** The configuration, checked and complete. */
import type { DialectId } from '@mayday/core';

/** What all upstreams have in common. */
export interface CommonConfig {
  readonly from?: DialectId;
  readonly dialect?: DialectId;
  readonly timeout_ms?: number;
  readonly retry?: {
    readonly attempts?: number;
    readonly max_wait_ms?: number;
    readonly repeatable?: readonly string[];
    readonly trust_annotations?: boolean;
  };
  readonly breaker?: false | { readonly failures?: number; readonly open_ms?: number };
}

/** A server process. */
export interface CommandConfig extends CommonConfig {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
  readonly max_sessions?: number;
}

/** A server over HTTP. */
export interface UrlConfig extends CommonConfig {
  readonly url: string;
  readonly headers?: { readonly [name: string]: string };
}

/** An HTTP API with an OpenAPI document. */
export interface OpenApiConfig extends CommonConfig {
  readonly openapi: string;
  readonly base_url?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly operations?: readonly string[];
}

/** One server behind the gateway. */
export type UpstreamConfig = CommandConfig | UrlConfig | OpenApiConfig;

/** One caller. */
export interface KeyConfig {
  readonly name: string;
  readonly key: string;
  readonly dialect?: DialectId;
  readonly upstreams?: readonly string[];
}

/** The whole configuration, as the file has it. */
export interface GatewayConfig {
  readonly listen?: {
    readonly host?: string;
    readonly port?: number;
    readonly allowed_hosts?: readonly string[];
    readonly allowed_origins?: readonly string[];
  };
  readonly dialect?: DialectId;
  readonly upstreams: { readonly [name: string]: UpstreamConfig };
  readonly keys?: readonly KeyConfig[];
  readonly joined?: { readonly enabled?: boolean; readonly separator?: string };
  readonly limits?: { readonly body_bytes?: number; readonly message_bytes?: number };
  readonly faults?: { readonly keep?: number };
}
