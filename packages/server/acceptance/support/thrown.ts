/** What handlers throw, by name: plain exceptions, and those of HTTP clients and sockets as they make them. */

/** Words that only the operator may see. */
export const SECRET = 'stage two broke at postgres://svc:hunter2@10.0.0.5:5432/prod for jane.doe@example.com';

/** The bodies of a backend, by status, as it sent them: blanks included. */
export const BODIES: Record<number, string> = {
  400: '{ "code": 400, "error": "Bad colour", "details": "The colour is none of ours" }',
  401: '{ "code": 401, "error": "Key disabled", "details": "Regenerate it in the dashboard" }',
  403: '{ "code": 403, "error": "No access", "details": "The key does not open ws_norte" }',
  404: '{ "code": 404, "error": "Client not found", "details": "No client cli_4711 in ws_norte" }',
  409: '{ "code": 409, "error": "Already connected", "details": "agt_1 is connected to agt_2" }',
  422: '{ "code": 422, "error": "Agent without workspace", "details": "agt_suelto is in no workspace" }',
  429: '{ "code": 429, "error": "Slow down", "details": "30 requests a second" }',
  500: '{ "code": 500, "error": "Backend broke", "details": "see the logs" }',
  503: '{ "code": 503, "error": "Maintenance", "details": "back at noon" }',
};

/** As axios throws it: the body parsed. */
function parsedBody(status: number): Error {
  const headers = status === 429 ? { 'retry-after': '7' } : {};
  const data: unknown = JSON.parse(BODIES[status] ?? '{}');
  return Object.assign(new Error(`Request failed with status code ${status}`), {
    name: 'AxiosError',
    isAxiosError: true,
    response: { status, headers, data },
  });
}

/** As got throws it: the body as text. */
function rawBody(status: number): Error {
  const headers = status === 429 ? { 'retry-after': '7' } : {};
  return Object.assign(new Error(`Response code ${status}`), {
    name: 'HTTPError',
    code: 'ERR_NON_2XX_3XX_RESPONSE',
    response: { statusCode: status, headers, body: BODIES[status] },
  });
}

function socketError(code: string, syscall: string): Error {
  const words = `${syscall} ${code} 10.0.0.5:5432`;
  return Object.assign(new Error(words), { code, errno: -111, syscall, address: '10.0.0.5', port: 5432 });
}

/** One exception: `error`, `type`, `secret`, `refused`, `timeout`, `aborted`, `parsed-404`, `raw-404`, … */
export function thrown(how: string, message = 'The flux capacitor is out of plutonium'): unknown {
  const [form, status] = how.split('-');
  if (form === 'parsed') return parsedBody(Number(status));
  if (form === 'raw') return rawBody(Number(status));
  switch (how) {
    case 'type':
      return new TypeError("Cannot read properties of undefined (reading 'id')");
    case 'secret':
      return new Error(SECRET);
    case 'refused':
      return socketError('ECONNREFUSED', 'connect');
    case 'timeout':
      return socketError('ETIMEDOUT', 'connect');
    case 'aborted':
      return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    default:
      return new Error(message);
  }
}
