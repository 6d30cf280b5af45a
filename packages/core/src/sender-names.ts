/** Names of headers and cookies, by what they say of whoever sends a request. */

/** Words of names that tell who sends a request, and keep their value from one request of a caller to the next. */
export const PROVES: RegExp =
  /^(?:auth\w*|\w*auth|\w*token|\w*cookie2?|\w*credentials?|\w*secret|pass(?:w\w*|code|phrase|port)?|pwd|pin|pat|dsn|bearer|jwt|assertion|ticket|\w*cert(?:ificate)?|\w*key(?:id)?|\w*user(?:id|name)?|e?mail|login|owner|behalf|impersonat\w*|\w*account(?:id)?|\w*tenant(?:id)?|\w*clientid|customer\w*|consumer\w*|subscri\w*|principal|identity|member|subject|sub|claims?|actor|oidc|\w*userinfo|uid|grafana|dn|org(?:id)?|organi[sz]ation)$/;

/** Names whose value is another one in each request: by such, a repeated call would not be known again as its caller's. */
export const VARIES: RegExp =
  /^(?:sec|mayday)-|^mcp-(?:session-id|protocol-version|method|name|param-.*)$|(?:^|[^a-z])(?:user[^a-z]?(?:agent|ip)|idempotency|csrf|xsrf|nonce|signature|dpop|digest|date|time|timestamp|timeout|deadline|attempt|retry|trace|span|correlation|websocket|cache|surrogate|latency|duration|sequence)(?:$|[^a-z])|(?:^|[^a-z])(?:req|request|message|event|transaction|invocation|activity|operation|call|log|ray)[^a-z]?id(?:$|[^a-z])|(?:csrf|xsrf)/;

/** What names a trace, and ends as what proves somebody: it may be either. */
export const TRACED: RegExp = /(?:^|[^a-z])(?:trace|span|correlation)(?:$|[^a-z])/;

/**
 * What clients, browsers, proxies, clouds and tracers add by themselves: it says how a request came, not who sent it. It may be another
 * one on another way, so it has to be named here; what is always the same need not be.
 */
export const OF_THE_WAY: RegExp = new RegExp(
  `^(?:${[
    // HTTP and browsers
    'accept(?:-.*)?|access-control-.*|alt-used|connection|content-.*|dnt|early-data|expect|host|http2-settings|if-.*',
    'keep-alive|last-event-id|max-forwards|origin|pragma|prefer|priority|proxy-connection|(?:x-)?purpose|range|referr?er',
    'save-data|te|trailers?|transfer-encoding|upgrade(?:-.*)?|via|warning|x-requested-with|x-http-method-override',
    'device-memory|downlink|dpr|ect|rtt|viewport-width|width',
    // proxies: where from, and how it came
    'forwarded|x-forwarded(?:-(?:for|by|host|port|proto(?:col)?|scheme|server|ssl|tls-.*|prefix|path|uri|url|method|query|client-(?:ip|port)|ip|country))?|x-original(?:-.*)?|x-real-.*|front-end-https|x-(?:url-)?scheme|x-proto(?:col)?|x-https',
    '(?:x-)?(?:(?:true|cluster|client|remote|source|origin|originating|peer|connecting|proxyuser)-)+(?:ip|addr|address|port)|x-ip|x-port',
    'x-host(?:name)?|x-(?:ssl|tls)(?:-(?:cipher|protocol|version|session-id))?|x-ja[34].*|x-hops?|x-ratelimit-.*',
    'x-(?:client-)?(?:country|region|city|geo|geoip|rtt)(?:-.*)?|x-(?:request|queue)-start|connect-time|total-route-time',
    // clouds and networks
    'x-envoy-.*|x-amz-(?:cf-id|content-sha256|user-agent)|x-amzn-tls-.*|amz-sdk-.*|cloudfront-.*|cf-.*|cdn-.*|(?:x-)?fastly-.*',
    '(?:x-)?akamai-.*|x-edge-.*|x-varnish|x-azure-.*|x-fd-.*|x-arr-.*|x-waws-.*|x-appservice-.*|disguised-host|was-default-hostname',
    'x-site-deployment-id|x-appengine-.*|fly-.*|x-vercel-.*|x-nf-.*|rndr-.*|x-railway-.*|x-kong-.*|(?:x-)?ms-cv',
    // tracers and kits
    'b3|x-b3-.*|traceparent|tracestate|baggage|sentry-.*|x-datadog-.*|x-newrelic-.*|newrelic|x-instana-.*|elastic-apm-.*',
    'uber(?:ctx)?-.*|x-ot-.*|ot-.*|grpc-.*|x-dynatrace.*|singularityheader|request-context|x-stainless-.*',
  ].join('|')})$`,
);

/** Cookies of balancers, of those who keep robots away and of those who count visits: each is renewed when it likes. */
const COOKIES_OF_THE_WAY: RegExp = new RegExp(
  `^(?:${[
    'aws(?:alb(?:tg)?(?:cors)?|elb(?:cors)?|albapp_\\d|albauthnonce)|arraffinity(?:samesite)?|applicationgatewayaffinity(?:cors)?|gclb',
    'bigipserver\\w*|ts[0-9a-f]{6,}(?:_(?:\\d+|[0-9a-f]+))?|tspd_\\d+|f5_st|f5avr\\w*|cookiesession1|fortiwafsid|bni__?\\w*|barra_counter_session|citrix_ns_id(?:_\\w*)?|serverid|routeid|route|ingresscookie|stickysession|lb',
    '__cf(?:_bm|duid|ruid|lb|seq|waitingroup)|_cfuvid|cf_clearance|cf_chl_\\w*|incap_ses_[\\d_]+|visid_incap_\\d+|nlbi_[\\d_]+',
    'ak_bmsc|bm_(?:sz|sv|mi|so|s|ss|lso)|_abck|datadome|aws_waf_token|reese84',
    '_ga(?:_[a-z\\d]{8,})?|_gat(?:_\\w*)?|_gid|_gcl_[a-z]{2}|_fb[pc]|_hj\\w*|_pk_(?:id|ses|ref|cvar|hsr)_\\d+_[\\da-f]+|__utm[abctvz]',
    'mp_\\w+_mixpanel|ajs_anonymous_id|amplitude_id_?\\w*',
  ].join('|')})$`,
);

/** Is a cookie of this name one of those who stand between, whoever it is set for? */
export function isCookieOfTheWay(name: string): boolean {
  return COOKIES_OF_THE_WAY.test(plainName(name));
}

/** Cookies that a framework sets with any answer: of a session, and of those who keep foreign forms away. */
const COOKIES_OF_FRAMEWORKS =
  /^(?:_?session|sess|sid|_?session_?id|sails_sid|connect_sid|(?:php|j|asp_net_)sessionid|phpsessid|aspsessionid[a-z]+|laravel_session|ci_session|cakephp|_\w+_session|(?:koa|express)_sess(?:_sig)?|mcp_session_id|(?:_?x?[cx]srf|csrf)(?:_?token)?|csrf_\w+|_csrf_\w+|__requestverificationtoken\w*|_aspnetcore_antiforgery_\w+|(?:next_auth|authjs)_csrf_token)$/;

/** Is a cookie of this name one that anybody is given, whatever was done? */
export function isCookieOfAnyAnswer(name: string): boolean {
  return (
    isCookieOfTheWay(name) || COOKIES_OF_FRAMEWORKS.test(plainName(name).replace(/^__(?:host|secure)_/, ''))
  );
}

function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_');
}
