/** What stands behind "connect to": a machine, or a product whose name has a digit in it. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

const BEHIND = [
  (name: string) => `Failed to connect to ${name}: Unexpected end of JSON input`,
  (name: string) => `Unable to connect to ${name}`,
  (name: string) => `Connection to ${name} timed out`,
  (name: string) => `Could not connect to ${name}.`,
];

const PRODUCTS =
  'n8n neo4j Neo4j Auth0 S3 B2 M365 D365 Office365 office365 Dynamics365 OAuth2 k8s i18n log4j web3 Web3 R2 Mem0 mem0 auth0 Supabase2 EC2 DB2 H2 c8y e2b K6 GPT4 Llama3 Odoo17 Magento2 Route53 MySQL8 Pa11y BM25 A2A MT5 L2TP IPv6';

it.each(PRODUCTS.split(' '))('stays: %s', (name) => {
  for (const said of BEHIND) expect(redact(said(name)).value).toBe(said(name));
});

const MACHINES =
  'db01 db-01 SQLPRD04 srv2 web-1 oraprod7 mongo3 node12 app2 fs1 dc01 kafka1 pgmaster2 mail3 lonsql07 db2prod WEB07 prd0042 vm14 my_db ws2019a esx03a k8s-node-3 LON14 ams14 ams3srv01';

it.each(MACHINES.split(' '))('goes: %s', (name) => {
  for (const said of BEHIND) expect(redact(said(name)).value).toBe(said('[host:1]'));
});

it.each([
  'Failed to connect to n8n:5678',
  'Failed to connect to n8n port 5678: Connection refused',
  'getaddrinfo ENOTFOUND n8n',
  'connect ECONNREFUSED n8n:5678',
  'lookup n8n on 10.0.0.2:53: no such host',
])('is a machine where nothing else has one: %s', (text) => {
  const { value } = redact(text);
  expect(value).toContain('[host:1]');
  expect(value).not.toContain('n8n');
});
