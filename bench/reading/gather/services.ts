/** Bodies of failures as well-known services and frameworks write them: what most servers really stand before. */

/** A code and a sentence for each status; where one says nothing of a status, the plain sentence serves. */
type Words = { readonly [status: number]: readonly [code: string, sentence: string] };

interface Service {
  readonly words: Words;
  readonly body: (status: number, code: string, says: string) => unknown;
}

/** The services. Each server meets one of them, or a plain form. */
export const SERVICES: readonly Service[] = [
  {
    // GitHub
    body: (status, _, message) => ({
      message,
      documentation_url: 'https://docs.example.com/rest',
      status: String(status),
    }),
    words: {
      400: ['', 'Problems parsing JSON'],
      401: ['', 'Bad credentials'],
      403: ['', 'Resource not accessible by personal access token'],
      404: ['', 'Not Found'],
      409: ['', 'Git Repository is empty.'],
      422: ['', 'Validation Failed'],
      429: ['', 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'],
      500: ['', 'Server Error'],
      503: ['', 'This service is temporarily unavailable'],
      504: ['', "We couldn't respond to your request in time."],
    },
  },
  {
    // Google
    body: (code, status, message) => ({ error: { code, message, status } }),
    words: {
      400: ['INVALID_ARGUMENT', 'Invalid value at \'page_size\' (TYPE_INT32), "abc"'],
      401: [
        'UNAUTHENTICATED',
        'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
      ],
      403: ['PERMISSION_DENIED', 'The caller does not have permission'],
      404: ['NOT_FOUND', 'Requested entity was not found.'],
      409: ['ALREADY_EXISTS', 'Requested entity already exists'],
      429: [
        'RESOURCE_EXHAUSTED',
        "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'items.example.com'.",
      ],
      500: ['INTERNAL', 'Internal error encountered.'],
      503: ['UNAVAILABLE', 'The service is currently unavailable.'],
      504: ['DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'],
    },
  },
  {
    // Atlassian
    body: (_, __, says) => ({ errorMessages: [says], errors: {} }),
    words: {
      400: ['', "The value 'ABC' does not exist for the field 'project'."],
      401: ['', 'Client must be authenticated to access this resource.'],
      403: ['', 'You are not authorized to perform this action. Administrator privileges are required.'],
      404: ['', 'The item does not exist or you do not have permission to view it.'],
      429: ['', 'Rate limit exceeded.'],
    },
  },
  {
    // Notion
    body: (status, code, message) => ({ object: 'error', status, code, message }),
    words: {
      400: [
        'validation_error',
        'body failed validation: body.parent should be defined, instead was `undefined`.',
      ],
      401: ['unauthorized', 'API token is invalid.'],
      403: ['restricted_resource', 'Insufficient permissions for this endpoint.'],
      404: [
        'object_not_found',
        'Could not find page with ID: 1429989f-e8ac-4eff-bc8f-57f56486db54. Make sure the relevant pages are shared with your integration.',
      ],
      409: ['conflict_error', 'Conflict occurred while saving. Please try again.'],
      429: ['rate_limited', 'You have been rate limited. Please try again in a few minutes.'],
      500: ['internal_server_error', 'Unexpected error occurred.'],
      503: ['service_unavailable', 'We are unavailable, please try again later.'],
    },
  },
  {
    // AWS
    body: (_, __type, message) => ({ __type, message }),
    words: {
      400: [
        'ValidationException',
        '1 validation error detected: Value null at name failed to satisfy constraint',
      ],
      401: ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
      403: ['AccessDeniedException', 'User is not authorized to perform: items:GetItem'],
      404: ['ResourceNotFoundException', 'Requested resource not found'],
      409: ['ConflictException', 'The item is being modified by another request'],
      429: ['ThrottlingException', 'Rate exceeded'],
      500: ['InternalServerException', 'The request processing has failed because of an unknown error'],
      503: ['ServiceUnavailableException', 'The service is not able to handle the request'],
    },
  },
  {
    // Django
    body: (_, __, detail) => ({ detail }),
    words: {
      400: ['', 'JSON parse error - Expecting value: line 1 column 1 (char 0)'],
      401: ['', 'Authentication credentials were not provided.'],
      403: ['', 'You do not have permission to perform this action.'],
      404: ['', 'Not found.'],
      429: ['', 'Request was throttled. Expected available in 42 seconds.'],
    },
  },
  {
    // OpenAI
    body: (_, code, message) => ({ error: { message, type: 'invalid_request_error', param: null, code } }),
    words: {
      400: ['invalid_value', "Invalid value: 'abc'. Supported values are: 'low', 'high'."],
      401: ['invalid_api_key', 'Incorrect API key provided: EXAMPLE.'],
      402: ['insufficient_credits', 'Insufficient credits. Add more at https://example.com/credits'],
      403: ['unsupported_country_region_territory', 'Country, region, or territory not supported'],
      404: ['model_not_found', 'The model `abc` does not exist or you do not have access to it.'],
      429: ['rate_limit_exceeded', 'Rate limit reached for requests. Please try again in 20s.'],
      500: ['server_error', 'The server had an error while processing your request. Sorry about that!'],
      503: ['server_overloaded', 'The engine is currently overloaded, please try again later'],
    },
  },
  {
    // Spring
    body: (status, error) => ({
      timestamp: '2026-01-15T10:00:00.000+00:00',
      status,
      error,
      path: '/api/items',
    }),
    words: {
      400: ['Bad Request', ''],
      401: ['Unauthorized', ''],
      402: ['Payment Required', ''],
      403: ['Forbidden', ''],
      404: ['Not Found', ''],
      409: ['Conflict', ''],
      422: ['Unprocessable Entity', ''],
      429: ['Too Many Requests', ''],
      500: ['Internal Server Error', ''],
      502: ['Bad Gateway', ''],
      503: ['Service Unavailable', ''],
      504: ['Gateway Timeout', ''],
    },
  },
  {
    // Laravel
    body: (_, __, message) => ({ message }),
    words: {
      401: ['', 'Unauthenticated.'],
      403: ['', 'This action is unauthorized.'],
      404: ['', 'No query results for model [App\\Models\\Item] 7'],
      422: ['', 'The name field is required. (and 1 more error)'],
      429: ['', 'Too Many Attempts.'],
      500: ['', 'Server Error'],
      503: ['', 'Service Unavailable'],
    },
  },
];
