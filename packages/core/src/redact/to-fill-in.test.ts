import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('what says how something is to be configured stays', () => {
  test.each([
    'set MONGO_URL to mongodb://user:password@host:27017/shop',
    'set MYSQL_URL to mysql://USER:PASSWORD@HOST:3306/SHOP',
    'e.g. postgres://username:password@hostname/shop',
    'e.g. amqp://$MQ_USER:$MQ_PASSWORD@host/',
    'e.g. https://oauth2:TOKEN@gitlab.com/acme/x.git',
    'GITLAB_TOKEN=glpat-xxxxxxxxxxxxxxxxxxxx',
    '{"env":{"GITHUB_TOKEN":"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}',
    'SLACK_BOT_TOKEN=xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxxxxxxxxxxxxxxxxxx',
    'export STRIPE_KEY=sk_test_xxxxxxxxxxxxxxxxxxxxxxxx',
    'OPENAI_API_KEY=sk-proj-XXXXXXXXXXXXXXXXXXXXXXXX is not set',
    'a key starts with sk-ant-... and is made in the console',
    'ANTHROPIC_API_KEY=sk-ant-...',
    'AWS_ACCESS_KEY_ID=AKIAXXXXXXXXXXXXXXXX',
    'usage: sync --user USER --password PASSWORD',
    'usage: sync [--password=PASS] [--token TOKEN] [--api-key API_KEY]',
    'curl -u username:password https://api.example.com',
    'curl -u USER:PASSWORD https://api.example.com',
    'jdbc:mysql://host/shop?user=USER&password=PASSWORD',
  ])('%s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });

  test.each([
    ['postgres://shop:password@db.example.com/shop', 'password'],
    ['postgres://user:passw0rd1@db.example.com/shop', 'passw0rd1'],
    ['https://user:hunter2@example.com', 'hunter2'],
    ['postgres://admin:PASSWORD1@db.example.com/shop', 'PASSWORD1'],
    ['GITLAB_TOKEN=glpat-xxxxxxxxxx9fK2mQ7wLz', '9fK2mQ7wLz'],
    ['GITHUB_TOKEN=ghp_xX9xX8xX7xX6xX5xX4xX3xX2xX1xX0xXaXbX', 'xX9xX8'],
    ['AKIAI44QH8DHBEXAMPL7 is not valid', 'I44QH8DHB'],
    ['sync --password=PASSWORD99', 'PASSWORD99'],
    ['AKIAI44QH8DHBEXAMPLE is made up', 'I44QH8DHB'],
    ['aws_secret_access_key = je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY', '2Zp9Utk'],
    ['password=password', '=password'],
    ['curl -u username:pa55word https://api.example.com', 'pa55word'],
    ['login with password "XXX999xxx!"', 'XXX999'],
  ])('and what is a secret goes: %s', (text, secret) => {
    expect(redact(text).value).not.toContain(secret);
  });
});
