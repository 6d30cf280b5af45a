/** The troubleshooting steps of erlmcp's document, to the letter. Sections without some are not here. */
export const STEPS: { readonly [code: number]: readonly string[] } = {
  [-32700]: ['Validate JSON with a linter', 'Check for UTF-8 encoding issues', 'Verify message completeness'],
  [-32600]: [
    'Verify all required fields are present',
    'Check field types match specification',
    'For batches, ensure each item is valid',
  ],
  [-32601]: ['Check method name spelling', 'Verify server capabilities', 'Ensure proper initialization'],
  [-32602]: [
    'Check method signature in documentation',
    'Verify all required parameters are present',
    'Validate parameter types',
  ],
  [-32603]: [
    'Check server logs for stack trace',
    'Report bug with reproduction steps',
    'Restart server if resource exhaustion',
  ],
  [-32001]: [
    'List available resources with `resources/list`',
    'Verify URI is correct',
    'Check resource registration',
  ],
  [-32002]: [
    'List available tools with `tools/list`',
    'Verify tool name spelling',
    'Check tool registration',
  ],
  [-32004]: [
    'Check server capabilities in initialize response',
    'Use only declared capabilities',
    'Upgrade server if needed',
  ],
  [-32005]: [
    'Send `initialize` request first',
    'Wait for `notifications/initialized`',
    'Then proceed with other requests',
  ],
  [-32009]: ['Increase timeout if needed', 'Check server load', 'Use progress tokens for long operations'],
  [-32010]: ['Implement exponential backoff', 'Check `retry_after` value', 'Reduce request frequency'],
  [-32012]: [
    'Split large content into chunks',
    'Use resource references instead of inline content',
    'Configure larger limit if needed',
  ],
  [-32025]: [
    'Check authentication status',
    'Verify resource permissions',
    'Contact administrator for access',
  ],
  [-32054]: ['Refresh authentication token', 'Re-authenticate with server', 'Check token expiration time'],
  [-32072]: [
    'Restart pagination from beginning',
    'Reduce page size to process faster',
    'Check cursor TTL configuration',
  ],
};
