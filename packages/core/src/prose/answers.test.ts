import { describe, expect, it } from 'vitest';
import { readProse } from './index.ts';

describe('an answer that cannot be used', () => {
  it.each([
    'Expected double-quoted property name in JSON at position 7',
    "Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    "Expected ',' or '}' after property value in JSON at position 9",
    "Expected ',' or ']' after array element in JSON at position 4",
    "Expected ':' after property name in JSON at position 5",
    'Unterminated string in JSON at position 12',
    'Bad control character in string literal in JSON at position 4',
    'Unexpected end of JSON input',
    'Unexpected token \'<\', "<html><hea"... is not valid JSON',
    'Unexpected token \'I\', "Internal S"... is not valid JSON',
    'Unexpected token \',\', ..."{"a":1,,,<<<" is not valid JSON',
    'Unexpected token < in JSON at position 0',
    'Unexpected non-whitespace character after JSON at position 4',
    '"[object Object]" is not valid JSON',
    'Unterminated fractional number in JSON at position 3',
    'Exponent part is missing a number in JSON at position 5',
    'Bad escaped character in JSON at position 3',
    'No number after minus sign in JSON at position 1',
    'JSON.parse: unexpected character at line 1 column 1 of the JSON data',
    'JSON Parse error: Unexpected identifier "html"',
    'Error: SyntaxError: Expected double-quoted property name in JSON at position 7',
    'Failed to search: Expected double-quoted property name in JSON at position 7',
    'Geocoding error: Expected double-quoted property name in JSON at position 7 (line 1 column 8)',
    "invalid character '<' looking for beginning of value",
    "invalid character 'x' after object key:value pair",
    'Expecting value: line 1 column 1 (char 0)',
    'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    'Extra data: line 2 column 1 (char 12)',
    'expected value at line 1 column 1',
    'EOF while parsing a value at line 1 column 0',
    'com.google.gson.JsonSyntaxException: java.lang.IllegalStateException: Expected BEGIN_OBJECT but was STRING at line 1 column 1 path $',
    "com.fasterxml.jackson.core.JsonParseException: Unexpected character ('<' (code 60)): expected a valid value",
    "'<' is an invalid start of a value. Path: $ | LineNumber: 0 | BytePositionInLine: 0.",
    'The JSON value could not be converted to System.Int32. Path: $.id | LineNumber: 0',
    "Unexpected character encountered while parsing value: <. Path '', line 0, position 0.",
    "JSON::ParserError: 765: unexpected token at '<html>'",
  ])('was the backend’s, in the words of a parser: %s', (text) => {
    expect(readProse(text)).toMatchObject({ kind: 'upstream_failed', retryable: false });
  });

  it.each([
    "MCP error -32603: mismatch types '[object Object]' and 'Array<Monitor>'",
    "mismatch types '{\"a\":1,,,<<<' and 'Array<LogsPipeline>'",
    'Response validation failed: expected array, got object',
    'Unexpected response format from API',
    'Invalid response from server: missing field "data"',
    'API returned an unexpected shape',
    'Failed to decode response: type mismatch',
    'Response is missing field "data"',
    'The response did not match the expected schema',
    "Could not deserialize the server's reply: expected string, got null",
    'Weather API sent malformed data',
    'Expected a list of rooms in the response, got an object',
    'Invalid API response: required property "items" is missing',
    'error unmarshalling response: json: cannot unmarshal object into Go value of type []main.Room',
  ])('has another shape than was wanted: %s', (text) => {
    expect(readProse(text)).toMatchObject({ kind: 'upstream_failed', retryable: false });
  });

  it.each([
    'Invalid JSON in "filter" argument',
    'Invalid JSON in parameter "body": Expected property name or \'}\' in JSON at position 1',
    'Error parsing style A: Unexpected token \'e\', "example" is not valid JSON',
    "The filter must be valid JSON: Expected ',' or '}' after property value in JSON at position 9",
    "Invalid filter: Expected property name or '}' in JSON at position 1",
    'Invalid JSON',
    'Invalid JSON provided: Unexpected end of JSON input',
    'query: Expected string, received number',
    'Could not parse your input as JSON: Bad control character in string literal in JSON at position 4',
    'Invalid arguments for tool reply: response: expected array, got object',
    'Invalid value for field "response": must be a string',
    "MCP error -32602: Input validation error: Invalid enum value. Expected 'markdown' | 'json', received 'x' at response_format",
    'json: cannot unmarshal number into Go struct field Args.city of type string',
  ])('is none where the caller wrote it: %s', (text) => {
    expect(readProse(text)?.kind).toBe('invalid_arguments');
  });

  it('is the caller’s beside the code that says so', () => {
    const words = 'Expected double-quoted property name in JSON at position 7';
    expect(readProse(words, { code: -32602 })?.kind).toBe('invalid_arguments');
    expect(readProse(words, { code: -32603 })?.kind).toBe('upstream_failed');
  });

  it.each([
    ['Failed to parse response: 401 Unauthorized', 'unauthenticated'],
    ['Invalid response from server: connection reset by peer', 'disconnected'],
    [
      '{"error":"Request failed with status code 502","data":{"message":"Invalid response from backend"}}',
      'upstream_failed',
    ],
  ])('explains nothing beside what does: %s', (text, kind) => {
    const reading = readProse(text);
    expect(reading?.kind).toBe(kind);
    expect(reading?.retryable).toBeUndefined();
  });
});
