/** What servers that no rule had seen have said, and their like: the kind, the fields, the thing. */
import type { OfKind } from './wild-kinds.fixture.ts';

/** A text, what it is, and what else it may as well be. */
export const KINDS: { readonly [what: string]: readonly OfKind[] } = {
  'what is missing is asked for': [
    ['Error: Provide a search query', 'invalid_arguments'],
    ['Error: Provide an accession like P12345', 'invalid_arguments'],
    ['Error: Provide a search keyword', 'invalid_arguments'],
    ['Supply an ISO country code', 'invalid_arguments'],
    ['Specify a ticker, e.g. AAPL', 'invalid_arguments'],
    ['Enter a city or a postcode.', 'invalid_arguments'],
    ['Pass either a name or an id', 'invalid_arguments'],
    ['Please supply a symbol.', 'invalid_arguments'],
    ['Veuillez fournir une ville', 'invalid_arguments'],
    ['Bitte geben Sie eine Stadt an', 'invalid_arguments'],
    ['Proporcione una ciudad', 'invalid_arguments'],
    ['请提供搜索关键词', 'invalid_arguments'],
    ['Inserisci un nome', 'invalid_arguments'],
    ['Voer een naam in', 'invalid_arguments'],
    ['검색어를 입력하세요', 'invalid_arguments'],
    ['Tell me which ticker', 'invalid_arguments'],
  ],
  'a plan that lacks a feature': [
    ['Wiki API error 403: {"message":"This feature is only available on the Enterprise plan"}', 'forbidden'],
    ['HTTP 403: Exports are not included in your plan', 'forbidden'],
    ['(403) {"error":"This endpoint requires a Pro plan. Upgrade your plan to use it."}', 'forbidden'],
    ['403 Forbidden: audit logs are part of the Business plan', 'forbidden'],
  ],
  'a verb of HTTP is no word of English': [
    [
      'Request to GET http://units.example/api/units/1 failed: OAuth token response from http://units.example/ was not valid JSON.',
      'upstream_failed',
    ],
    [
      'Request to PUT http://units.example/api/plans/5 failed: OAuth token response from http://units.example/ did not include an access_token.',
      'upstream_failed',
    ],
    ['POST https://shop.example/token: the response did not contain a token', 'upstream_failed'],
  ],
  'an answer of a backend that is of no use': [
    ['Unexpected USDA bulk foods response format', 'upstream_failed'],
    ['Unexpected Example weather daily forecast API response shape', 'upstream_failed'],
    [
      'Error getting page by ID: Invalid execution result: result is not object or array. \nGot:\nnull',
      'upstream_failed',
    ],
    ['Error getting page by ID: Invalid execution result: data is not plain object', 'upstream_failed'],
    [
      '{"error":"Failed to parse listing details from Rooms. The page structure may have changed.","details":"Could not find data script element - page structure may have changed"}',
      'upstream_failed',
    ],
    ['Could not extract prices: the layout of the site has changed', 'upstream_failed'],
    ['No results block found, the HTML structure might have changed', 'upstream_failed'],
    ['The API may have changed its response', 'upstream_failed'],
    ['Response is not an array', 'upstream_failed'],
    ['API returned null', 'upstream_failed'],
    ['No data field in response', 'upstream_failed'],
    ['Could not parse search results page; selectors may be outdated', 'upstream_failed'],
    ['Unexpected API result: missing items', 'upstream_failed'],
  ],
  'JSON of the caller’s': [
    [
      'Error: Invalid JSON in request body: Unexpected token \'s\', "sample" is not valid JSON. See SKILL.md in the project root.',
      'invalid_arguments',
      'parse_error',
    ],
    ['Request body is not valid JSON', 'invalid_arguments', 'parse_error'],
    [
      'Failed to parse request body as JSON: Unexpected end of JSON input',
      'invalid_arguments',
      'parse_error',
    ],
    [
      'Malformed JSON in the request payload: Unexpected end of JSON input',
      'invalid_arguments',
      'parse_error',
    ],
  ],
  'a setting behind a label': [
    ['Network error: Set RADARR_URL (your Radarr base URL).', 'misconfigured'],
    ['API error: Please set SHOP_BASE_URL', 'misconfigured'],
    ['Error: export WIKI_HOST before you start the server', 'misconfigured'],
    ['Connection error: Define NOTES_DB_URL in your environment', 'misconfigured'],
    [
      '"film_facts" needs a license key, but the license server answered "unexpected_response". Set MCP_LICENSE_KEY in your MCP client config. Get a key: https://shop.example/key',
      'misconfigured',
      'unauthenticated',
      'forbidden',
    ],
    ['Server error: NOTES_OWNER is empty', 'misconfigured'],
    ['License key required. Buy one at https://shop.example', 'misconfigured'],
    ['This tool requires a licence key', 'misconfigured', 'unauthenticated', 'forbidden'],
  ],
  'a browser that is not installed': [
    [
      'Error: browserType.launchPersistentContext: Chromium distribution \'chrome\' is not found at /opt/google/chrome/chrome\nRun "npx playwright install chrome"',
      'misconfigured',
    ],
    ["Firefox was not found at '/usr/bin/firefox'", 'misconfigured'],
    ['ffmpeg not found at /usr/bin/ffmpeg', 'misconfigured'],
    ['Model runtime not available. Run "pip install torch" first', 'misconfigured', 'not_ready'],
    ['The parser is missing. Run `npm install tree-sitter`', 'misconfigured', 'not_ready'],
  ],
  'words at the side': [
    [
      "ERROR: save_as: no `path` given and this viewer has no local source file to overwrite (it's a remote URL, or the viewUUID is stale/unknown). Provide an explicit `path`.",
      'invalid_arguments',
    ],
    ['move: no "target" specified (the folder may be archived or deleted)', 'invalid_arguments'],
  ],
  'data that cannot be what it is to be': [
    [
      'Chart rendering failed: Sankey is a DAG, the original data has cycle!',
      'invalid_arguments',
      'unprocessable',
    ],
    ['Diagram error: the graph contains a cycle', 'invalid_arguments', 'unprocessable'],
    ['The hierarchy must be acyclic', 'invalid_arguments', 'unprocessable'],
    ['Chart rendering failed: Axis "x" has no categories', 'invalid_arguments'],
    ['Self-loops are not allowed', 'invalid_arguments'],
    ['Cycle detected in tasks: a -> b -> a', 'invalid_arguments', 'unprocessable', 'conflict'],
    ['Cyclic reference between rows 3 and 5', 'invalid_arguments', 'unprocessable', 'conflict'],
  ],
  'a connection that was not made': [
    ['{"error":"There was an error establishing an SSL connection"}', 'unavailable', 'disconnected'],
    ['Error establishing a database connection', 'unavailable', 'disconnected'],
    ['Error opening a connection to the broker', 'unavailable', 'disconnected'],
    ['Error: No response from Companies API. Please check your connection.', 'unavailable', 'timeout'],
    ['No answer from the weather service', 'unavailable', 'timeout'],
  ],
  'requests that come too often': [
    ['{"msg":"request frequency too high, try again in 30 s","code":30001}', 'rate_limited'],
    ['Query frequency is too high', 'rate_limited'],
    ['You are calling this API too often', 'rate_limited'],
    ['访问过于频繁，请30秒后再试', 'rate_limited'],
    ['API call frequency too fast, slow it', 'rate_limited'],
  ],
  'a thing that nothing is told of but its number': [
    ['{"success":false,"message":"No account with this number"}', 'not_found'],
    ['No customer with that email', 'not_found'],
    ['没有此账户', 'not_found'],
    ['No order under this reference', 'not_found'],
  ],
  'advice is no cause': [
    [
      '{"error":"Database operation failed","code":"DATABASE_ERROR","hint":"Check your query syntax and permissions, then try again"}',
      'unknown',
      'upstream_failed',
      'internal',
      'unavailable',
    ],
  ],
};

/** Near misses: what they say is something else. */
export const NEAR_KINDS: readonly OfKind[] = [
  ['Monthly plan limit reached. Upgrade your plan.', 'quota_exhausted'],
  ['HTTP 403: monthly quota exceeded, upgrade your plan', 'quota_exhausted', 'forbidden'],
  ['Connection refused: set ES_URL to the address of your cluster', 'unavailable', 'misconfigured'],
  ['Request timed out after 30 s. Set REQUEST_TIMEOUT_MS to wait longer', 'timeout'],
  ['Provide an API key', 'misconfigured', 'unauthenticated'],
  ['The page has changed since you opened it', 'conflict'],
  ['The document was changed by somebody else', 'conflict'],
  ['File not found at /data/report.txt', 'not_found'],
  ['No response from the user', 'timeout', 'cancelled', 'unknown', 'input_required'],
  ['Temperature too high', 'invalid_arguments'],
  ['Get token failed', 'misconfigured', 'unauthenticated', 'unknown'],
  ['This endpoint needs at least one subscription id', 'invalid_arguments'],
  ['Loops are not supported by this device', 'unsupported'],
  ['Circular reference in module graph', 'unknown', 'internal'],
  ['Converting circular structure to JSON', 'invalid_output', 'internal'],
  ['No `api_key` given', 'misconfigured', 'unauthenticated', 'invalid_arguments'],
];

/** A text, and the fields that it is about. */
export const FIELDS: readonly (readonly [text: string, ...fields: string[]])[] = [
  ['ERROR: search requires `query`', 'query'],
  ['ERROR: remove_annotations requires `ids` array', 'ids'],
  ['create_workflow action:"validate" requires `workflow` — the workflow JSON to check.', 'workflow'],
  ['action:"apply" needs recommendation_id from a prior assess.', 'recommendation_id'],
  ['move needs targetFolder', 'targetFolder'],
  ['rename requires `from` and `to`', 'from', 'to'],
  ["ERROR: save_as: no `path` given (it's a remote URL). Provide an explicit `path`.", 'path'],
  ['{"error":"Input validation failed: schema: Required","code":"VALIDATION_ERROR"}', 'schema'],
  ['{"error":"Input validation failed: sql: Expected string, received object"}', 'sql'],
  ['{"error":"Input validation failed: schema: String must contain at least 1 character(s)"}', 'schema'],
  [
    'Error: Invalid input for tool "get_data": dataflow_id: Dataflow ID must contain only uppercase letters',
    'dataflow_id',
  ],
  ['{"error":"keyPath is required for update operation (or provide batchOperations)"}', 'keyPath'],
  ['file_base64 is not valid base64.', 'file_base64'],
  ['startDate is not a valid date', 'startDate'],
  ['page_size is missing', 'page_size'],
  ['Missing `owner`', 'owner'],
  ['The parameter "city" is missing', 'city'],
  ['Parameter city is missing', 'city'],
  ["'limit' has to be a number", 'limit'],
  ['Invalid value for "sort": foo', 'sort'],
  ['Invalid value for sort: foo. Allowed: a, b', 'sort'],
  ['Invalid date format for startDate', 'startDate'],
  ['Unknown field: colour', 'colour'],
  ['bad_data: invalid parameter "query": 1:5: parse error', 'query'],
  ['url is not a valid URL', 'url'],
  ['Symbol is required', 'symbol'],
  ['Error: title cannot be empty', 'title'],
  ['Either `query` or `id` must be provided', 'query', 'id'],
  ['Specify at least one of `a` or `b`', 'a', 'b'],
  ['Please provide a `repo_url`', 'repo_url'],
  ['You must specify `project`', 'project'],
  ['No location provided', 'location'],
  ['Expected `count` to be a number', 'count'],
  ['start_date: invalid date', 'start_date'],
  ['Invalid `status`: "foo"', 'status'],
  ['Invalid status "foo". Must be one of open, closed', 'status'],
  ['GraphQL: Variable "$id" of required type "ID!" was not provided.', 'id'],
  ['Bad request: `name` too long', 'name'],
  ['Invalid params: missing required field "q"', 'q'],
  ['Error: Query is empty.', 'query'],
  ['Error: Text is empty.', 'text'],
  [
    '{"errors":[{"message":"Field \\"owner\\" must not be null","extensions":{"code":"BAD_USER_INPUT"}}],"data":null}',
    'owner',
  ],
  ['Invalid league: "undefined". Must be one of: nfl, nhl, nba', 'league'],
  ['Unsupported interval: 7m. Valid intervals: 1m, 5m', 'interval'],
  [
    'Error getting page by ID: Field "owner" must not be null: {"response":{"data":null,"errors":[{"message":"Field \\"owner\\" must not be null","extensions":{"code":"BAD_USER_INPUT"}}]},"request":{"query":"query A($limit: Int, $locale: String, $tags: [String!]) { pages }"}}',
    'owner',
  ],
];

/** Input that is wrong, and no field is named. */
export const NO_FIELDS: readonly string[] = [
  'Error: Provide a search query',
  'Error getting page by ID: Invalid value',
  'The archive is not valid',
  'Something is missing',
  'This operation requires more arguments',
  'Argument list too long',
  '"x" is not a valid choice.',
  'Error: Unexpected token \'Y\', "Your plan "... is not valid JSON',
  'Invalid arguments',
  'Invalid value for variable',
];

/** A text, and the thing that it is about. */
export const THINGS: readonly (readonly [text: string, type: string, id?: string])[] = [
  ['Prompt not found: no-such-prompt', 'prompt', 'no-such-prompt'],
  ['Error: Prompt not found: user-zzz_invalid', 'prompt', 'user-zzz_invalid'],
  ['Tool does not exist: lookup', 'tool', 'lookup'],
  ['Unknown prompt: greet', 'prompt', 'greet'],
  ['{"error":"Prompt not found: greet"}', 'prompt', 'greet'],
  [
    '{"error":"Unknown tool: lookup_everything","stack":"Error: Unknown tool: lookup_everything"}',
    'tool',
    'lookup_everything',
  ],
  ['{"message":"No account with this number"}', 'account'],
  ['Cannot to_comment comment #5: it has replies or was modified concurrently.', 'comment', '5'],
  [
    'Store GET /get?id=77 failed (423): {"message":"The document is being edited by another user"}',
    'document',
  ],
  [
    'GraphQL Error (Code: 423): {"response":{"status":423,"headers":{},"body":"{\\"message\\":\\"The document is being edited by another user\\"}"},"request":{"query":"query A { a }"}}',
    'document',
  ],
  [
    'GraphQL Error (Code: 409): {"response":{"status":409,"headers":{},"body":"{\\"error\\":{\\"code\\":\\"already_exists\\",\\"message\\":\\"A label named \\\\\\"urgent\\\\\\" exists already\\"}}"},"request":{"query":"query A { a }"}}',
    'label',
    'urgent',
  ],
  [
    '{"error":"Source directory resolution failed","details":"Directory not found: /srv/report.txt"}',
    'directory',
    '/srv/report.txt',
  ],
];

/** Failures that come as success. */
export const DISGUISED: readonly string[] = [
  'Provide a stock symbol like AAPL.',
  'Specify a city, e.g. Lisbon',
  '获取天气信息时发生错误: HTTP错误! 状态: 429',
  '获取天气信息时发生错误: fetch failed',
  '获取天气信息时发生错误: Unterminated string in JSON at position 23 (line 1 column 24)',
  '查询订单失败：网络错误',
  '天気の取得中にエラーが発生しました: fetch failed',
  '날씨 조회 중 오류가 발생했습니다: fetch failed',
  '天气预报详情: {\n  "success": false,\n  "message": "No account with this number"\n}',
  'Response: {"success": false, "error": "Rate limit exceeded"}',
  '请求出错：401 Unauthorized',
  'Hata oluştu: fetch failed',
  '**Not authenticated**\n\nRun `notes-mcp login`.',
  'list_models action:"remove" is not supported against a remote host. It deletes a file on the local filesystem, which the server cannot reach. Delete the file directly instead.',
  '## Not logged in\n\nPlease login first by running this command in your terminal:\n\n```bash\nnotes-mcp login\n```\n\nThis will open a browser.',
  '# Authentication required\n\nRun `notes-mcp login` and restart.',
];

/** Successes that sound like failures. */
export const GENUINE: readonly string[] = [
  '📦 Archive is empty. No completed tasks have been archived yet.',
  'Your inbox is empty.',
  'The trash is empty.',
  'Provide a summary of the text above.',
  'Enter a new chapter of your life.',
  '# Not found\n\nThis page explains what the status 404 means.',
  '登录失败: 3 次',
  '错误: 0',
  'The list is empty. Nothing has been deleted yet.',
  '{"ok":false,"checks":{"db":{"ok":true},"cache":{"ok":false,"error":"timeout"}}}',
  'File content: {"error":"x"}',
  'Task 5 status: {"success":false,"reason":"tests failed"}',
  'User profile: {"name":"x","error":"none"}',
  'Test results: {"ok":false,"failed":["a"],"passed":["b"]}',
  'Enter your name, e.g. Anna.',
  '## Unauthorized\nuse of the word in English law',
  'Windows is not supported until version 5.',
  'Response: {"ok": true, "items": []}',
];

/** A text beside which a body stands that reports of several things. */
export const REPORT: { readonly [name: string]: unknown } = {
  ok: false,
  docker: { running: false, services: [] },
  env_file: { exists: false, path: '.env.local' },
  pnpm: { ok: false, version: '/bin/sh: 1: pnpm: not found' },
};
