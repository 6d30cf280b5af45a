/** The raw upstream of the bench over standard input and output. */
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  let out = '';
  for (const line of lines) {
    const { id, method } = JSON.parse(line) as { id?: number | string; method?: string };
    if (id === undefined) continue;
    const result =
      method === 'initialize'
        ? {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'bench', version: '1' },
          }
        : method === 'tools/list'
          ? { tools: [{ name: 'track', inputSchema: { type: 'object' } }] }
          : {
              content: [{ type: 'text', text: 'The order A-17 was shipped on Monday and arrives tomorrow.' }],
            };
    out += `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;
  }
  process.stdout.write(out);
});
