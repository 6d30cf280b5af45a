/** The requests of one call: the first, and those that follow redirects. */
import type { HttpRequest } from '@mayday/relay';

/** One request of a call: the first, or where a redirect has led. */
export interface Asked {
  readonly method: HttpRequest['method'];
  readonly url: URL;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer | undefined;
  readonly hops: number;
  /** Nobody else has been asked so far: what the operator gives may go along. */
  readonly isHome: boolean;
}

/** The headers of a request, and those that the operator gives it; cookies go together, and what is no JSON keeps its type. */
export function withGiven(headers: Asked['headers'], given: Asked['headers']): Asked['headers'] {
  const cookie = [given['cookie'], headers['cookie']].filter((said) => said !== undefined).join('; ');
  const type = headers['content-type'];
  return {
    ...headers,
    ...given,
    ...(cookie === '' ? {} : { cookie }),
    ...(type === undefined || /json/.test(type) ? {} : { 'content-type': type }),
  };
}

/** All that a place that is not the API's own is told. */
const PLAIN_HEADERS = ['accept', 'accept-encoding'] as const;

/** The request that follows a redirect. Elsewhere it carries nothing of the caller's, and nothing of the operator's. */
export function followed(
  { headers, hops, isHome }: Asked,
  { url, method }: { readonly url: URL; readonly method: 'GET' | 'HEAD' },
  home: string,
  query: { readonly [name: string]: string },
): Asked {
  const staysHome = isHome && url.origin === home;
  const { 'content-type': _of, ...own } = headers;
  const plain = Object.fromEntries(PLAIN_HEADERS.map((name) => [name, headers[name] ?? '*/*']));
  if (staysHome)
    for (const [name, value] of Object.entries(query))
      if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return {
    method,
    url,
    path: `${url.pathname}${url.search}`,
    headers: staysHome ? own : { ...plain, 'user-agent': 'mayday-gateway' },
    body: undefined,
    hops: hops + 1,
    isHome: staysHome,
  };
}
