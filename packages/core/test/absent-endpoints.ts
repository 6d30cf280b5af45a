/** What is answered where nothing is served at an address of MCP: by routers, proxies, tunnels and platforms. */

/** A page of a proxy. */
export const PAGE =
  '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx/1.24.0</center></body></html>';

/** Each body says nothing but that, under 404. */
export const ABSENT_AT_MCP: readonly string[] = [
  '',
  'Not Found',
  '404 page not found\n',
  'default backend - 404',
  'Cannot POST /mcp',
  'Cannot POST /mcp/',
  'Route POST:/mcp/ not found',
  'No static resource mcp/.',
  PAGE,
  '{"detail":"Not Found"}',
  '{"timestamp":"2026-11-18T00:00:00","status":404,"error":"Not Found","path":"/mcp"}',
  '{"message":"Route POST:/mcp not found","error":"Not Found","statusCode":404}',
  '{"message":"no Route matched with those values","request_id":"a1b2"}',
  'The deployment could not be found on Vercel.\n\nDEPLOYMENT_NOT_FOUND',
  '<!DOCTYPE html><html><head><title>ngrok</title></head><body>The endpoint shop.ngrok.app is offline. ERR_NGROK_3200</body></html>',
];
