/**
 * The phrase families: how software words its failures.
 *
 * One family a line: `kind[!][/subject] weight: phrase; phrase; …`. In a phrase, `a|b` is a choice, `word+`
 * stands for its inflections, `$class` for any word of a class, `..` for up to six words of one sentence.
 * Articles, auxiliaries and prepositions carry nothing and are left out on both sides (`could not be
 * found` is `not found`); capitals and underscores are undone (`RESOURCE_NOT_FOUND` and `ResourceNotFound`
 * are `resource not found`). `!` marks a failure that the same call meets again, so that it is not
 * retryable whatever its kind; `~` one that only says that something failed, so that a status beside it decides. A kind that starts with `@` is decided by a look at the text (`looks.ts`).
 */
export const PHRASES: string = `
rate_limited 84: rate limit+
rate_limited 92: frequency limit; rate limit+ exceed+|reached|hit|error|after|retry; ratelimit+; hit .. rate limit+; secondary|user rate limit+; too many request+|attempt+|call+|queries|messages; too many concurrent; throttle+|throttling; flood wait; request+|calls per second|minute|hour|day; reduce request; request+ rate too|large|high; slow down; slowdown; limit+ exceed+ .. per second|minute|hour; quota exceed+ .. per|metric; quota metric; per minute|second quota|limit; qps; queries per second; concurrency limit; throughput exceed+; rate exceed+; requests too quickly|fast|frequently; calling too; too frequent+
rate_limited 72: resource exhausted; retry after; request|call limit; try again .. limit; limit .. try again; requests exceed+
rate_limited 48: limit reached|exceed+; exceed+|reached .. limit
quota_exhausted 94: insufficient quota|credit+|balance|funds; quota exhaust+; current quota; monthly|daily|weekly|usage|plan|spending|spend|credit|hard quota|limit+|usage; out|no|enough credit+|funds|quota; credit+ exhaust+; credit balance; balance too low; payment required; plan .. billing; billing plan|limit+|hard|quota|required|inactive|disabled|suspended; billing not enabled|active|setup|configured; enable billing; upgrade plan|account|subscription; free plan|tier; trial expired|ended|over; daily|monthly .. limit; subscription expired|required|inactive; budget exceed+; storage quota|full; exceed+ .. plan
quota_exhausted 86: quota exceed+|reached; exceed+ .. quota; over quota
overloaded 90: overloaded; overload error; server|service|system|too|currently busy; serverbusy; too many connections|clients|open; at|no|insufficient|over capacity; capacity exceed+|exhausted|reached; model|server|service|currently .. capacity; high|heavy demand|load|traffic; pool exhausted|full; queue full; connection slots; sqlite busy; database .. locked; emfile; eagain; max clients; redis busy; oom command; resource temporarily unavailable
timeout 84: timeout+
timeout 92: timed out; handshake timeout; esockettimedout; deadline expired; wait time exceed+; not receive .. response .. time; request|connection|connect|gateway|read|socket|navigation|statement|query|lock|response|operation|headers|body|awaiting|due timeout; timeout error|awaiting|waiting; timeout .. exceed+; canceled|cancelled|aborted .. timeout; timedout; etimedout; deadline exceed+; took|taking too long; time limit|out; not respond+; not complete|finish|completed|finished within; no response|answer within|received; execution time exceed+; wait timed
cancelled 84: aborterror; abort error; aborted|cancelled|canceled|rejected|declined|denied|interrupted user|client|caller; user abort+|cancel+|cancelled|canceled|reject+|decline+|denied|interrupted; request|operation|call|context|query|task|job aborted|cancelled|canceled; keyboard interrupt; client closed request
cancelled 55: cancelled|canceled|aborted
conflict 96: version|revision conflict; revision mismatch
conflict 70: already shipped|cancelled|canceled|finished|completed|closed|refunded|paid|delivered|ended|running; not cancel+|refund+|abort+|edit+|change+|update+ .. cancelled|canceled|finished|shipped|completed|closed|refunded|delivered
disconnected 90: websocket|socket not open; socket hang|closed|disconnected|terminated; connection reset|closed|lost|dropped|terminated|aborted|abort|interrupted|broken; close+|lost|terminating .. connection; connection .. lost|closed|reset; econnreset; epipe; broken pipe; premature+ close+; stream closed|ended|destroyed|aborted|reset; unexpected eof; server|remote|peer|side|transport|websocket|target|page|browser closed|disconnected|crashed|gone; err socket; reset peer; child process exit+; err empty response; empty reply; incomplete read; forcibly closed; network changed; eof occurred; gone away; unexpectedly closed|terminated|disconnected|ended; session closed
disconnected 72: exited unexpectedly
disconnected 49: process exited|crashed|died|terminated|killed
disconnected 58: disconnected; eof; terminated
unavailable 93: econnrefused; enotfound; eai again|fail; ehostunreach; enetunreach; getaddrinfo; connection|connect refused; connection .. refused; refused connection|connect; actively refused; name resolution; name|request not resolved; host|hostname|domain .. not resolved; not|unable|failed resolve|resolved host|hostname|name|domain|address; unknown host; no such host; name service not known; nodename nor servname; dns lookup|resolution|error|failure|query|server; host|network unreachable|down|offline; network unavailable; err network; no route host; not reachable; unreachable; internet disconnected; no internet|network; proxy|tunnel connection failed; service|server|backend|api|temporarily|currently unavailable; circuit breaker|open; under|scheduled maintenance; maintenance mode; upstream connect; no healthy upstream; max|maximum retries exceed+; max|maximum retries per request; read only replica|standby|slave; clusterdown|masterdown; cluster|master down; mongo network error; dial tcp; failed lookup address; network connection lost; typeerror failed fetch; ns error net|offline|unknown
unavailable~ 88: fetch failed; network error|failure|issue+|problem+|request; connection failed|failure|error|attempt; connect error
unavailable 88: failed|unable|not|error connect|connecting|reach|reached|contact|contacted|communicate; communication .. failed|failure|error; temporarily|currently down|offline; appear+|seem+ offline; error sending request; connect call failed; topology closed|destroyed; bad network; failed|not|unable establish+ .. connection; connection not established; server selection; unable fetch data; unable make request
unavailable 90: maintenance mode|progress; down|under|scheduled|undergoing|planned maintenance; maintenance .. underway|ongoing
@unavailable 80: unavailable
unavailable 85: unavailable .. try again; server|service|api not able|unable handle|process|serve|respond
unavailable 80: server|service|site|api down|offline; not available right|moment|currently
upstream_failed 82: broke|broken side|end; went wrong side|end|servers; error|problem|issue|failure side|servers
upstream_failed 85: internal server error|exception|failure; server internal error; bad gateway; server encountered|side
upstream_failed~ 85: error occurred|happened .. server; server experienced .. error; external|downstream|remote|party service|api error|failure; upstream error|failed|failure|server|request|service|returned; server error|failure; remote server returned; backend error
upstream_failed!~ 86: invalid|malformed|unexpected|bad json|api|http|server response; invalid|malformed|unexpected|empty response
upstream_failed! 86: json response; failed|not|unable|error parse|parsing|decode|decoding|deserialize .. response; response not .. json; response not valid; received|returned|got html; non json; unexpected content type; unexpected end json|data; captive portal; response parse|parsing
upstream_failed! 97: returned|sent|received|got invalid|malformed json|response; expected json .. html|received|got; error decoding response
upstream_failed!~ 97: looking beginning value; expecting value line
@json 84: unrecognized token; unexpected token|character|identifier|non; not valid json; invalid json; json parse|decode; parse|parsing json; expected property name; bad control character; expected double quoted; unterminated string json
unauthenticated 95: authentication credential+ .. not provided|missing; unrecognized client; login|authenticate first; not validate|verify credential+; reauthentication|reauthenticate|reauthorize; apikey disabled|inactive|deactivated|suspended; cookie+ expired|invalid|missing
unauthenticated 92: unauthorized|unauthorised|unauthenticated; $bad $cred; $cred $bad; $cred not valid|recognized|accepted; $bad .. $cred; $cred .. expired|revoked; invalid grant|client|auth; auth|authentication failed|failure|error|required|needed|unsuccessful; authorization required|needed; failed|not|unable|must|need|require+ authenticate|authenticated|authentication; login required|failed|incorrect; log|sign again; please|must|need|required log|sign|login|logged; not logged|signed|authed; re|please authenticate; invalid|wrong user key; missing|no .. authorization; authorization header required|missing|invalid; wrongpass; noauth; access denied user .. password; signature not match; invalidclienttokenid; security token; account locked|disabled|suspended|deactivated|inactive; aadsts; not provide+ .. authorization; oauth error
unauthenticated 66: check|verify .. $cred
unauthenticated 72: $cred required .. authorization; missing|no token; token missing; www authenticate; authorization header; without authorization
misconfigured 89: $cred .. not set|configured|provided|defined|found|available|present|specified|loaded; $cred missing|required|undefined|empty|needed|unset; missing|no|need|needs|requires|require|set|get|add|configure|supply|provide .. $cred; not|unable|failed find|load|locate .. $cred; default credentials; oauth .. not found; credentials provider
misconfigured 96: listen eaddrinuse; enospc; no space left; disk quota|full; envvar .. not|required|missing|must|empty|unset; missing|set|required|requires|via|using|configure|define .. envvar
misconfigured 91: not|must configured|installed; unconfigured|misconfigured|misconfiguration; configuration|config|settings missing|error|invalid|required|incomplete|not|file; invalid|missing|no|improperly configuration|config|settings|configured; no .. configured; connection string .. not|missing|required; please|must|need install; npm|pip|brew|playwright|puppeteer install; browsers install; command not found; not recognized internal external; executable .. not exist|found; not find|locate chrome|chromium|browser|firefox|executable|binary; browser|chrome|chromium|binary|module not found|installed; not find module; no module named; misconf redis; shared libraries; missing dependency; self signed; certificate verify|expired|not|signed|authority|validation; unable verify|get .. certificate|issuer|signature; err cert|ssl|tls; cert expired|authority; not match certificate; ssl|tls handshake; service disabled; not been used project
@env 74: neither; must set|provide|provided|specified; not set|defined|provided|found|specified; required; missing; unset; please set|configure|provide; needs|need set
forbidden 98: write+|writing|mutation+|modification+ not allowed|permitted
forbidden 95: unauthorized access; action|operation unauthorized
forbidden 91: forbidden; not whitelisted|whitelist|allowlisted|allowlist; not allow list; blacklisted|blocklisted; ip|host|domain|user|account|url blocked|banned|blacklisted; blocked robots|firewall|security|cloudflare|captcha; robots txt; role|admin|administrator|owner|membership .. required; $perm+ denied|error|required|missing|insufficient|blocked|restricted|refused; denied|no|deny|missing|lack+|insufficient|sufficient|enough|required|appropriate|necessary $perm; insufficient|sufficient|lack+|missing .. $perm; not have|granted .. $perm; access not; not granted|authorized|permitted|accessible; disallowed|prohibited; eacces; eperm; erofs; outside .. allowed|permitted|sandbox|workspace|root|directory|directories|project; path|directory traversal; not within|inside allowed|sandbox|workspace|root; read only transaction|file|mode|database|filesystem|access|connection|user|table; readonly; only admin+|owner+|administrator+; admin only|privileges|rights; must|requires admin|owner|administrator; invalid host|origin; origin|host not allowed; row level security; policy denied|violation|blocks; blocked policy; explicit deny; need+ .. $perm; not member|channel; security violation; access .. blocked|denied|restricted; write+|mutation+ .. disabled|blocked
forbidden 80: repository|video|account|profile|channel|playlist|post|page private; private repository|video|account|profile|playlist; not allowed; authorization failed|failure|error; not have authorization
forbidden 62: read only; permission+; restricted
approval_required 94: approval|confirmation|consent|mfa required; require+|need+|awaiting|pending|waiting|without approval|confirmation|consent; must approved|confirm; please confirm; explicit confirmation; human review|approval; require+ .. approval|confirmation; two factor
input_required 88: input|elicitation required; url elicitation; require+ user input
not_found/tool 96: unknown|unrecognized|unrecognised|invalid|unsupported|nonexistent|undefined|unimplemented tool; bad|wrong|unexpected tool name; tool name invalid; no tool named|called|found|with|registered; no such|matching tool; tool .. not found|exist|registered|available|enabled|supported|recognized|recognised|implemented|known|defined; tool .. disabled|unknown; not find tool; not valid|known|recognized|recognised|registered tool; no handler tool; no handler found|registered|defined|available .. tool; handler not found tool; handler tool .. not found
not_found 58: unknown
not_found 70: not resolve
not_found 74: unknown function|command|action|operation
not_found/prompt 95: unknown|invalid|unrecognized|unsupported|nonexistent prompt; no such prompt; no prompt; prompt .. not found|exist|disabled|registered|available|defined|recognized; not find prompt
not_found/resource 94: unknown|unrecognized|unsupported resource; no handler resource; resource handler not found; no resource uri; no such resource; not find resource; invalid resource uri; unsupported|unknown uri; resource uri not
not_found/session 92: session .. not found|exist; unknown session; no such session; no session found
not_found/session 86: invalid session
not_found/task 92: task .. not found|exist; unknown task; no such task
not_found 96: not found|exist .. $perm
not_found 89: not found|exist|find|locate; no query|search results; no longer exist+; nonexistent; non existent; no such; unable|failed find|locate; enoent; no .. found|matching; no|any matching; no match+; not match any; no results|record+|rows|entries|element; returned|matched|found|yielded nothing; unknown channel|user|message|guild|member|role|id|entity|object|table|column|database|collection|index|project|repository|revision|branch|account|customer|record|document|file|page|model|symbol|city|location|country|currency|node|device|name|item|issue|team|workspace|topic|container|image; bad revision; been deleted|removed; file|path missing; undefined table|column|function; not present; not registered|known|recognized; invalid object name; not in database
not_found 62: not available; deleted; gone; unrecognized; nothing found; empty result
conflict 91: conflict+; overlap+; already exist+|used|taken|registered|created|running|connected|open|initialized|processed|completed|started|active|been|member|added|closed|merged; already use; exist+ already; duplicate+; unique constraint|violation|index; must unique; eexist; eaddrinuse; address use; enotempty; not empty directory; directory not empty; ebusy; resource|device busy; concurrent modification|update|write; been modified|changed; version mismatch|conflict; stale; out date; optimistic lock+; etag; precondition; foreign key; integrity constraint|error; violates .. constraint; constraint violation|failed|violated; destination|target exists; deadlock; not serialize access; serialization failure; conditional check|request; uncommitted|local changes; failed push; updates rejected; fast forward; still|resource|file|port|name|currently use; resource|file locked; invalid|illegal|wrong|incorrect|current state; not state; invalid transition; e11000; not mergeable; archived
conflict 60: locked; already; immutable
not_ready! 91: not initialized|started|launched|opened; before initializ+|initialize|connecting; call|run|connect|open|start|navigate|create|select .. first; must .. first; must join|connect|initialize|call|run|login|select|open|start|create .. before; before send+|using|calling; not git repository|repo; no active|open|current|connected session|connection|page|browser|tab|project|document|workspace|window|device+; no browser|page|tab|window|document open|opened; no valid session; no session; session id required|missing|header; missing session; mcp session id; valid .. session id; not connected; client|bot not ready|connected|logged|initialized; no database selected|connected|open; no .. selected|loaded|opened; initialize .. first
not_ready! 86: not running
not_ready 91: not ready; not yet ready|available|initialized|complete|indexed|loaded|finished; still loading|starting|initializing|processing|indexing|building|running|pending|warming|provisioning|progress; starting|warming up; model loading; currently loading|indexing|initializing|starting; loading redis; indexing progress; still|currently indexed|created|creating|provisioned|built|generated|generating|prepared|preparing|computed|computing|rendered|rendering|exported|exporting|imported|importing|uploaded|uploading|downloading|compiling|syncing|updated|updating|processed|queued|working; not yet generated|created|prepared|exported|processed
too_large 93: maximum|max file|upload|image|message size; too large; too big file|payload|body; payload large; exceed+ .. size|bytes|mb|kb|gb|payload|tokens; exceed+ maximum length|content|body|upload|tokens|context; size exceed+|limit; maximum size|context|tokens; maxcontentlength; context length|window; body|size|file larger; larger than; message|prompt|uri|string|request|line too long; token limit; too many tokens; maxbuffer; maximum|max|most .. items|records|rows|entries|ids|files|messages|recipients|elements|addresses per request|call|batch; maximum|max|most .. items|records|rows|entries|ids|files|messages|recipients|elements|addresses got|received|given
unsupported_media 92: unsupported media|mime|image|video|audio|encoding|charset|format|extension; unsupported content|file|document type|format|extension; unsupported .. format; not acceptable; must accept; content type must; invalid mime; invalid file|image type|format; file|media|mime|content type not supported|allowed; format not supported; media type; cannot identify image; not valid image
expired 82: session|cursor|link|url|upload|code|request|lease .. expired; invalid cursor; cursor invalid; no longer valid
expired 62: expired
unsupported 90: not supported|implemented|support|compatible; unsupported|unimplemented|incompatible; method not found|allowed|available; method .. not found|available|supported|implemented; unknown method; no such method; no longer supported; deprecated; not available platform|region|country|version; only supported|available; feature .. not|disabled; enosys; invalid operation; capability not
unsupported 96: unavailable .. country|region|location|plan|tier|account|purchase
unsupported 97: not put|patch; tool not supported|implemented; client .. not declare+ .. capability|capabilities; client not support+|declare+|advertise+
unsupported 70: disabled; not enabled
invalid_output 96: output validation; invalid tools call result; output schema; not match output; structured content; invalid output; circular structure; not serializable
@crash 76: not destructure; not create property; read property|properties; set property|properties undefined|null; not convert undefined; not function|iterable|defined; nonetype; keyerror; null pointer; null reference; object reference; nil pointer; undefined method; object no attribute; undefined|null not object; not use operator; right hand side; not operator
internal 97: require es module; requested module .. not provide; named export .. not found; requested module .. commonjs; import statement outside module
internal 95: panicked; unsupported operand; index out range|bounds; referenced before assignment; recursion depth; process exited .. code|status; maximum call stack; stack size; segmentation fault
internal~ 60: internal error|failure; unexpected error|exception|failure|condition; unhandled|uncaught; something went wrong; panic; assertion; stack overflow; out memory; memory limit; fatal error; runtime error; invariant; corrupt|corrupted; exit|exited code; enomem; typeerror; referenceerror; attributeerror; zero exit
unknown~ 70: unknown error|reason|exception|failure|problem
unknown 46: error occurred
parse_error 60: parse error
invalid_request 90: not valid json rpc; invalid json rpc
invalid_request 74: invalid request|message; malformed request; protocol version; header mismatch; $bad|missing header; batch
invalid_arguments 96: must string|number|integer|boolean|object|array|positive|numeric|json; must valid json; no such argument+|parameter+|param+|field|property|option; not null constraint; check constraint; not query field; strict mode violation; unexpected|wrong type; want .. got
invalid_arguments 97: timeout must|should|invalid|required|$arg|expected; invalid timeout|limit
invalid_arguments 95: violates not null; regex parse|error; only .. allowed|accepted; invalid $arg tool|prompt; input validation; validation failed|error+|exception|failure; failed|schema validation; zod|ajv|pydantic; expected .. received|got|found; expected one; invalid type|enum|option; received undefined|null|number|string|boolean|object|array; $bad argument+|params|param|parameter+|arguments; unrecognized|unknown|unexpected|extra|additional|missing|required|mandatory|unsupported $arg; missing required|mandatory; positional argument+; not valid under; not one; not type; must have required|property; input|value should; unexpected keyword
invalid_arguments 90: unknown|unrecognized|invalid|illegal action|operation|mode|order|direction|unit|interval|strategy|level|sort|format|metric; limit|value|count|number|length exceed+ maximum|max|allowed; value+|field+|parameter+|param+|argument+|property|option+|attribute+|character+ .. not allowed|permitted|accepted
invalid_arguments 88: pass|give|supply|use either|one; empty $arg|query|text|content|string|message|prompt|name; query|text|content|message|prompt|name|string empty; bad date|id|url|name|type|number|parameter+; negative number|value|limit|amount; too many ids|values|fields|files|urls|symbols|keywords|names|tags; need+|require+ least; $arg required|missing|invalid|empty|must|not|mandatory; $arg .. required|missing|invalid|must; must string|number|integer|boolean|object|array|positive|valid|non|one|between|greater|less|either|least|most|longer|contain|start|end|match|absolute|uuid|url|type|numeric|finite|negative|more|later|before|after|range; must not|provide|specify|supply|pass|include|have|provided|specified|supplied|given; should text|string|number|array|object|valid|integer|boolean|less|greater|least|between|match; not valid value; argumenterror|argumentexception|valueerror; not blank|null|undefined|both; specify both|either; both .. specified|provided; mutually exclusive; least one; provide|specify one|either|least|valid; no $arg; no .. provided|specified|given|supplied|defined; null parameters; not null; check constraint; out range|bounds; too short|small|long|big|low|high|few; too many arguments|parameters|items|characters|elements; minimum|maximum length; syntax error; sql syntax; division zero; bad input|value|format|syntax; malformed; badly formatted; failed deserialize; cannot unmarshal; invalid input|literal|syntax|text|format|id|url|uri|path|name|date|email|uuid|number|query|body|field|property|regex|regular|address|filter|range|string|data|file|base64|character|selector|expression|timestamp|time|timezone|coordinates|identifier|index|length|operator|value; wrong number|type; type mismatch; not number|integer|string|array|object; eisdir; enotdir; enametoolong; not directory; illegal operation; not match pattern|format|schema; err invalid
invalid_arguments 70: valid|allowed|accepted|supported|possible values|options|choices|types|formats|actions; nothing render|update|search|translate|send|insert|change|process|do; bad request; please|must|need provide|specify|enter|pass; not provided|specified|supplied|given; not parse|convert|understand|understood; failed|unable|error parse|parsing; not empty; usage; invalid .. id|format|value|name; not valid
unprocessable 93: unprocessable; exact match; old string|text; no changes; nothing commit; identical; content filter+|policy; not processed
invalid_arguments 56: required|requires|mandatory|needed; invalid; must; mismatch|incorrect|wrong|illegal; missing; specify; ambiguous; expected; expects
upstream_failed! 45: failed fetch; request failed; error fetching; failed retrieve|get|load
`;

/** Words of a class. A word followed by `+` stands for its inflections. */
export const CLASSES: { readonly [name: string]: string } = {
  bad: 'invalid incorrect wrong bad expired revoked malformed rejected unrecognized illegal',
  cred: 'apikey pat token+ secret credential+ password login signature jwt bearer username accesskey',
  perm: 'permission+ privilege+ scope+ rights access role',
  arg: 'argument+ parameter+ param+ field+ property properties option+ input+ key+ value+ arg+ attribute+',
};

/** Two words that are one. */
export const PAIRS: readonly string[] = [
  'api key apikey',
  'api keys apikey',
  'access key apikey',
  'secret key apikey',
  'environment variable envvar',
  'environment variables envvar',
  'env var envvar',
  'env vars envvar',
  'env variable envvar',
  'env variables envvar',
];

/** Words that carry nothing. */
export const STOP_WORDS =
  'the a an is was were are be been being has had do does did can could will would may might its it this that these those your our their of for to in on at by from as with and or you we i de la le el los las del des der du da dos les une una';

/** Words that only negate. */
export const NOT_WORDS =
  'doesnt dont didnt isnt wasnt arent cant cannot couldnt wont wouldnt hasnt havent mustnt shouldnt werent';
