/** The gateway as a protected resource: what tokens are for, and where callers learn how to get one (RFC 9728). */
import type { JsonObject } from '@mayday/core';
import type { OAuthSettings } from '../../settings/settings.ts';

/** Where callers look, before the path of what they want to use. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** What is known of the gateway as others see it. Paths are those of endpoints: `/mcp`, `/files/mcp`, `/files/sse`, or nothing for all. */
export interface Resource {
  /** What a token for this endpoint may be for: the endpoint itself, or all of the gateway. */
  audiencesOf(path: string): readonly string[];
  /** Where the document of this endpoint is. */
  metadataUrl(path: string): string;
  /** The document at this path of ours; `undefined` where there is none. */
  metadataAt(path: string): JsonObject | undefined;
}

/** An endpoint's path; whether there is such an upstream is not for strangers to know. */
const ENDPOINT = /^(?:|(?:\/[a-z0-9][a-z0-9-]{0,31})?\/(?:mcp|sse))$/;

/** The resource that the settings describe. */
export function createResource({ resource, issuers, scopes }: OAuthSettings): Resource {
  const origin = resource?.origin ?? '';
  const prefix = withoutSlash(resource?.pathname ?? '');
  const idOf = (path: string): string => `${origin}${prefix}${path}`;
  return {
    // An endpoint is the same one over the older transport.
    audiencesOf: (path) => [...new Set([idOf(''), idOf(path), idOf(path.replace(/\/sse$/, '/mcp'))])],
    metadataUrl: (path) => `${origin}${METADATA_PATH}${prefix}${path}`,
    metadataAt(asked) {
      const inside = asked.slice(METADATA_PATH.length);
      const path = inside.startsWith(prefix) ? inside.slice(prefix.length) : inside;
      if (!ENDPOINT.test(path)) return undefined;
      return {
        resource: idOf(path),
        authorization_servers: issuers.map(({ issuer }) => issuer),
        ...(scopes.length === 0 ? {} : { scopes_supported: [...scopes] }),
        bearer_methods_supported: ['header'],
      };
    },
  };
}

/** `https://mcp.example.com/` and the same without the slash are one audience: clients write either. */
export function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}
