/** What a cloud or a broker says of the server's own tables, queues, keys and rates is not the caller's to correct. */
import { describe, expect, it } from 'vitest';
import { axios, error, INTERNAL, MISCONFIGURED, said } from './thrown.ts';

/** As the SDK of AWS makes it. */
const aws = (name: string, message: string, status = 400, more: object = {}): Error =>
  error(message, { name, $fault: 'client', $metadata: { httpStatusCode: status, attempts: 1 }, ...more });

const CONFIGURED =
  'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.';

describe('a rate of the server’s own', () => {
  it.each([
    ['DynamoDB', aws('ProvisionedThroughputExceededException', CONFIGURED)],
    ['by its mark', aws('SomethingExceededException', CONFIGURED, 400, { $retryable: { throttling: true } })],
    ['of operations', aws('LimitExceededException', 'Too many operations for a given subscriber.')],
    [
      'Kinesis',
      aws(
        'ProvisionedThroughputExceededException',
        'Rate exceeded for shard shardId-0 in stream prod-events under account 123456789012.',
      ),
    ],
    ['S3', aws('SlowDown', 'Please reduce your request rate.', 503)],
    ['EC2', aws('RequestLimitExceeded', 'Request limit exceeded for account 123456789012.', 503)],
    [
      'Google',
      error(
        '8 RESOURCE_EXHAUSTED: Quota exceeded for quota metric Write requests of service pubsub.googleapis.com for consumer project_number:123456.',
        { code: 8, details: 'Quota exceeded', metadata: {} },
      ),
    ],
  ])('passes: %s', async (_what, reason) => {
    const [kind, words] = await said(reason, { id: 'o7' });
    expect(kind).toBe('rate_limited');
    expect(words).toContain('Wait, then call again.');
    expect(words).not.toMatch(/table|stream|account|subscriber|123456|consumer|arguments/i);
  });

  it('says how long to wait where that is known', async () => {
    const $response = { statusCode: 503, headers: { 'retry-after': '9' } };
    const [, words] = await said(aws('SlowDown', 'Please reduce your request rate.', 503, { $response }), {});
    expect(words).toContain('Wait at least 9 s.');
  });

  it('is still told where it says no more than that', async () => {
    const [kind, words] = await said(aws('ThrottlingException', 'Rate exceeded'), { id: 'o7' });
    expect([kind, words]).toEqual(['rate_limited', 'Rate exceeded. Wait, then call again.']);
  });
});

const NO_TABLE = 'Requested resource not found: Table: prod-orders-v3 not found';
const NO_INDEX = 'index_not_found_exception: [index_not_found_exception] Reason: no such index [orders-v3]';
const NO_QUEUE = `404 (NOT-FOUND) with message "NOT_FOUND - no queue 'orders-internal' in vhost '/'"`;

describe('a resource of the server’s own', () => {
  it.each([
    ['a table', aws('ResourceNotFoundException', NO_TABLE)],
    ['a table that is not named', aws('ResourceNotFoundException', 'Requested resource not found')],
    [
      'a function',
      aws(
        'ResourceNotFoundException',
        'Function not found: arn:aws:lambda:us-east-1:123456789012:function:prod-fn',
        404,
      ),
    ],
    ['a secret', aws('ResourceNotFoundException', "Secrets Manager can't find the specified secret.")],
    [
      'a stream',
      aws('ResourceNotFoundException', 'Stream prod-events under account 123456789012 not found.'),
    ],
    ['a log group', aws('ResourceNotFoundException', 'The specified log group does not exist.')],
    ['a queue', aws('QueueDoesNotExist', 'The specified queue does not exist.')],
    ['a topic', aws('NotFoundException', 'Topic does not exist', 404)],
    [
      'a bucket',
      aws('NoSuchBucket', 'The specified bucket does not exist', 404, { BucketName: 'prod-invoices' }),
    ],
    ['a key', aws('DisabledException', 'arn:aws:kms:us-east-1:123456789012:key/abcd is disabled.')],
    [
      'a key by its name',
      aws('KMSAccessDeniedException', 'KMS key arn:aws:kms:us-east-1:123456789012:key/abcd is disabled'),
    ],
    [
      'a container',
      axios(404, {
        error: { code: 'ContainerNotFound', message: 'The specified container does not exist.' },
      }),
    ],
    [
      'a bucket of Google’s',
      axios(404, { error: { code: 404, message: 'The specified bucket does not exist.' } }),
    ],
    ['an index', error(NO_INDEX, { name: 'ResponseError', statusCode: 404, meta: { statusCode: 404 } })],
    ['an index of Algolia’s', error('Index prod_orders does not exist', { name: 'ApiError', status: 404 })],
    [
      'an index that is full',
      error(
        'cluster_block_exception: index [orders-v3] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark];',
        { statusCode: 429 },
      ),
    ],
    ['a queue of RabbitMQ’s', error(NO_QUEUE, { code: 404 })],
    [
      'a topic of Google’s',
      error('5 NOT_FOUND: Resource not found (resource=prod-topic).', {
        code: 5,
        details: 'Resource not found (resource=prod-topic).',
        metadata: {},
      }),
    ],
  ])('is the operator’s: %s', async (_what, reason) => {
    expect(await said(reason, { id: 'o7' })).toEqual(['misconfigured', MISCONFIGURED]);
  });

  it.each([
    ['a table', aws('ResourceNotFoundException', NO_TABLE), { table: 'prod-orders-v3' }],
    [
      'a table that is not named',
      aws('ResourceNotFoundException', 'Requested resource not found'),
      { tableName: 'x' },
    ],
    [
      'a function',
      aws(
        'ResourceNotFoundException',
        'Function not found: arn:aws:lambda:eu-1:123456789012:function:mine',
        404,
      ),
      { name: 'arn:aws:lambda:eu-1:123456789012:function:mine' },
    ],
    [
      'a function by its short name',
      aws(
        'ResourceNotFoundException',
        'Function not found: arn:aws:lambda:eu-1:123456789012:function:mine',
        404,
      ),
      { name: 'mine' },
    ],
    [
      'a bucket',
      aws('NoSuchBucket', 'The specified bucket does not exist', 404, { BucketName: 'mine' }),
      { where: 'mine' },
    ],
    [
      'a bucket by the argument',
      axios(404, { error: { message: 'The specified bucket does not exist.' } }),
      { bucket: 'mine' },
    ],
    [
      'a queue',
      aws('QueueDoesNotExist', 'The specified queue does not exist.'),
      { queue_url: 'https://q/mine' },
    ],
    ['an index', error(NO_INDEX, { statusCode: 404 }), { index: 'orders-v3' }],
    [
      'an object',
      aws('NoSuchKey', 'The specified key does not exist.', 404, { Key: 'o7.pdf' }),
      { id: 'o7' },
    ],
    ['a collection of a shop', axios(404, { message: 'Collection not found' }), { id: 'o7' }],
    ['a table of a restaurant', axios(404, { message: 'Table 12 not found' }), { number: 12 }],
    ['a topic of a forum', error('Topic 12 does not exist'), { id: 12 }],
    ['a stream', axios(404, { message: 'Stream not found' }), { id: 12 }],
  ])('is the caller’s where it named it, or deals with such things: %s', async (_what, reason, args) => {
    expect((await said(reason, args))[0]).toBe('not_found');
  });
});

describe('a request that the server wrote', () => {
  it.each([
    'One or more parameter values were invalid: Missing the key tenant_pk in the item',
    'The provided key element does not match the schema',
    'Invalid UpdateExpression: Syntax error; token: "shard", near: "SET shard"',
    'ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty for key :t',
  ])('is not the caller’s: %s', async (words) => {
    expect(await said(aws('ValidationException', words), { id: 'o7' })).toEqual(['internal', INTERNAL]);
  });
  it('is, where it is over an argument', async () => {
    const words = 'One or more parameter values were invalid: Missing the key sku in the item';
    expect((await said(aws('ValidationException', words), { sku: '' }))[0]).toBe('invalid_arguments');
  });
  it('says nothing of a Redis that starts', async () => {
    const reason = error('LOADING Redis is loading the dataset in memory', { name: 'ReplyError' });
    const [kind, words] = await said(reason, { id: 'o7' });
    expect(kind).toBe('not_ready');
    expect(words).not.toContain('Redis');
  });
});
