/** What a request proves its sender with: the headers, and the parameters of an address, that tell callers apart. */

/** Words of such names. One too many does no harm, as long as a caller keeps its value; one too few makes two callers one. */
const PROVES =
  /^(?:auth\w*|\w*auth|\w*token|\w*cookie2?|\w*credentials?|\w*secret|passw\w*|bearer|jwt|assertion|\w*cert(?:ificate)?|\w*key(?:id)?|\w*user(?:id|name)?|e?mail|login|\w*account(?:id)?|\w*tenant(?:id)?|\w*clientid|customer\w*|consumer\w*|subscri\w*|principal|identity|member|subject|sub|claims?|actor|oidc|\w*userinfo|uid|grafana|dn|org|organi[sz]ation)$/;

/** Names whose value is another one in each request: by such, a repeated call would not be known again as its caller's. */
const VARIES =
  /(?:^|[^a-z])(?:user[^a-z]?agent|sec|mcp|mayday|idempotency|csrf|xsrf|nonce|signature|dpop|digest|date|time|timestamp|attempt|retry|trace|span|correlation|websocket|cache|surrogate)(?:$|[^a-z])|(?:request|message)[^a-z]?id(?:$|[^a-z])|(?:csrf|xsrf)/;

/** Does a header or a parameter of this name tell who sends a request? */
export function isCredential(name: string): boolean {
  const lower = name.toLowerCase();
  const words = lower.replace(/client[^a-z0-9]id(?![a-z0-9])/, 'clientid').split(/[^a-z0-9]+/);
  return words.some((word) => PROVES.test(word)) && !VARIES.test(lower);
}

/** Cookies of balancers, of those who keep robots away and of those who count visits: each is renewed when it likes. */
const OF_THE_WAY =
  /^(?:aws(?:alb|elb)\w*|arraffinity\w*|gclb|bigip\w*|ts0\w*|citrix_ns_id\w*|__cf\w*|_cfuvid|cf_clearance|incap_ses\w*|visid_incap\w*|nlbi_\w*|ak_bmsc|bm_\w+|_abck|datadome|serverid|routeid|route|ingresscookie|stickysession|lb|_ga\w*|_gid|_gcl_\w*|_fbp|_hj\w*|_pk_\w*|mp_\w*|ajs_\w*|amplitude\w*)$/;

/** What is left of cookies; `undefined` where they tell nobody apart. */
function tellingCookies(value: string): string | undefined {
  const kept = value
    .split(';')
    .map((cookie) => cookie.trim())
    .filter(
      (cookie) => !OF_THE_WAY.test((cookie.split('=')[0] ?? '').toLowerCase().replace(/[^a-z0-9_]/g, '_')),
    );
  return kept.length === 0 ? undefined : kept.sort().join('; ');
}

/** A header as either kind of server hands it over. */
type Value = string | readonly string[] | null | undefined;

/**
 * Everything in these headers or parameters that tells who sends them, as one text to compare; `undefined` if nothing
 * does. It holds secrets: keep its digest.
 */
export function credentialsIn(named: Iterable<readonly [name: string, value: Value]>): string | undefined {
  const found: string[] = [];
  for (const [name, value] of named) {
    if (value === undefined || value === null || !isCredential(name)) continue;
    const lower = name.toLowerCase();
    const said = lower === 'cookie' ? tellingCookies(String(value)) : String(value);
    if (said !== undefined) found.push(JSON.stringify([lower, said]));
  }
  return found.length === 0 ? undefined : found.sort().join('\n');
}
