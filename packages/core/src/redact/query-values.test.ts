import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

/** What has to go has `Quill` in it. */
const gone = (text: string): void => expect(redact(text).value).not.toMatch(/quill/i);

describe('values in queries that are no SQL', () => {
  test.each([
    "Aggregate failed: [{ $match: { surname: 'Quill' } }, { $group: { _id: null } }]",
    'Aggregate failed: [{"$match":{"surname":"Quill"}},{"$group":{"_id":null}}]',
    'PlanExecutor error during aggregation :: caused by :: pipeline: [ { $match: { name: "Quill" } } ]',
    'MongoServerError: unknown operator: $regx, filter: { name: { $regx: "Quill" } }',
    "unknown top level operator: $where in query: { name: 'Quill', $where: 'x' }",
    'command find failed: { find: "people", filter: { name: "Quill Marston" }, limit: 1 }',
    'Error: update failed { q: { _id: 3 }, u: { $set: { name: "Quill" } } }',
    "query failed: { name: { $in: ['Quill', 'x'] } }",
    'Cast to ObjectId failed for value "Quill Marston" (type string) at path "_id" for model "Person"',
    "CastError: Cast to Number failed for value 'Quill' at path 'age'",
    'Validator failed for path `name` with value `Quill Marston`',
    'Person validation failed: name: Validator failed for path `name` with value `Quill`, age: Path `age` is required.',
    'Failed to parse query [surname:Quill AND]',
    'query_shard_exception: Failed to parse query [name:(Quill OR]',
    "Cannot parse 'surname:Quill AND': Encountered <EOF>",
    'number_format_exception: For input string: "Quill"',
    'failed to create query: For input string: "Quill Marston"',
    'WRONGTYPE Operation against a key holding the wrong kind of value SET user:name "Quill"',
    'ERR wrong number of arguments for \'set\' command SET customer:note "Quill likes nuts"',
    'WRONGTYPE HSET person:1 name "Quill" city "x"',
    "READONLY You can't write against a read only replica. LPUSH people 'Quill Marston'",
    'ReplyError: OOM command not allowed, SET person:1 Quill',
    "ReplyError: ERR syntax error command: { name: 'set', args: ['person:1', 'Quill Marston'] }",
    "ERR unknown command 'SETT', with args beginning with: 'person:1' 'Quill Marston'",
    'ERR unknown command `HST`, with args beginning with: `person:1`, `Quill`, ',
    "ValidationException ExpressionAttributeValues: { ':n': { S: 'Quill' } }",
    "ConditionalCheckFailed Item: { name: { S: 'Quill' }, age: { N: '3' } }",
    "MATCH (p:Person {name: $name}) RETURN p, parameters: {name: 'Quill'}",
    'Neo4jError: Invalid input, query MATCH (p) WHERE p.name = "Quill" RETURN p',
    "MERGE (p:Person) SET p.name = 'Quill' : syntax error",
    'SELECT ?p WHERE { ?p foaf:name "Quill" } : Parse error',
    'ASK WHERE { ?p foaf:name "Quill"@en . } failed',
    "ScriptEvaluationException: g.V().has('person','name','Quill').out()",
    "g.addV('person').property('name', 'Quill') failed",
    'GraphQL failed: query { person(name: "Quill") { id } }',
    'mutation { addPerson(input: { name: "Quill", age: 3 }) { id } } failed',
    'LDAP search failed: (&(objectClass=person)(cn=Quill Marston))',
    'No such entry for filter (uid=quill)',
    "Data too long for column 'n' : 'Quill Marston of Leeds'",
    "Data too long for column 'n': 'Quill'",
    'Could not find any entity of type "Person" matching: { where: { name: "Quill" } }',
    'Invalid `prisma.person.create()` invocation: { data: { name: "Quill", age: 3 } }',
    "Person.objects.get(name='Quill') returned 2",
    "collection('people').where('name', '==', 'Quill') needs an index",
    '[CAST_INVALID_INPUT] The value \'Quill\' of the type "STRING" cannot be cast to "INT"',
    "Cannot cast 'Quill' to INT",
    'could not parse "Quill" as type int',
    "Unable to make int from 'Quill'",
    'Bad int64 value: Quill',
    "Date 'Quill' is not recognized",
    "Boolean value 'Quill' is not recognized",
    'Could not cast literal "Quill" to type DATE',
    'db.people.find({"name":"Quill"}) timed out',
    "people.aggregate([{ $match: { name: 'Quill' } }]) failed",
  ])('%s', gone);

  test.each<unknown>([
    { KeyConditionExpression: 'n = :n', ExpressionAttributeValues: { ':n': { S: 'Quill' } }, error: 'x' },
    { ExpressionAttributeValues: { ':n': 'Quill' }, TableName: 'people' },
    { TableName: 'people', Item: { name: { S: 'Quill' }, tags: { SS: ['Quill'] } } },
    { TableName: 'people', Key: { name: { S: 'Quill' } } },
    { find: 'people', filter: { name: 'Quill' } },
    { aggregate: 'people', pipeline: [{ $match: { name: 'Quill' } }] },
    { op: 'x', filter: { name: { $regex: '^Quill' } } },
    { q: { $or: [{ name: 'Quill' }, { city: 'Quill' }] } },
    { query: { match: { surname: 'Quill' } }, error: 'x' },
    { query: { bool: { must: [{ term: { 'name.keyword': 'Quill' } }] } } },
    { query: { query_string: { query: 'surname:Quill AND' } } },
    { query: { multi_match: { query: 'Quill', fields: ['name'] } } },
    { command: { name: 'set', args: ['person:1', 'Quill Marston'] } },
    { query: 'MATCH (p:Person {name:$name}) RETURN p', parameters: { name: 'Quill' } },
    { statement: 'MERGE (p:Person {name:$name})', params: { name: 'Quill' } },
    { query: 'query { person(name: "Quill") { id } }', errors: [{ message: 'boom' }] },
    { query: 'query P($n: String!) { person(name: $n) { id } }', variables: { n: 'Quill' } },
    { query: 'mutation { add(name: "Quill") { id } }' },
  ])('as members: %j', (value) => {
    gone(JSON.stringify(value));
    gone(JSON.stringify(value, null, 2));
    gone(`failed: ${JSON.stringify(value)}`);
    expect(JSON.stringify(redact(value).value)).not.toMatch(/quill/i);
    expect(JSON.stringify(redact(value).value)).toBe(redact(JSON.stringify(value)).value);
  });
});

describe('what is no query stays', () => {
  test.each([
    'Use {"$match": {"status": "open"}} as the first stage',
    'e.g. { $set: { name: "x" } }',
    'The first stage must be like [{ $match: { status: "open" } }]',
    'match the pattern {"type":"text"} exactly',
    'set timeout "30s" in the settings',
    'SET is not a command of this tool',
    'SET a name for the board',
    'get user:name is not a known command',
    'the term "query" is reserved',
    'parameters: ["limit","offset"] are required',
    'cast to number failed for the field age',
    'Cannot cast null to INT',
    'cannot cast string to integer',
    'Failed to parse query parameter [limit]',
    'Failed to parse query',
    "Cannot parse '2026-13-01': month must be in 1..12".replace("'2026-13-01'", 'the date'),
    'For input string the limit is 5',
    "Data too long for column 'n' at row 1",
    'filter: status must be one of open, closed',
    'filter: { type: object } is not a schema',
    'query { is not closed',
    'The query { me { id } } has no operation name',
    'query { orders(first: 10) { id } } is too deep',
    'Unknown argument "first" on field "Query.orders".',
    'Field "person" argument "name" of type "String!" is required',
    'Cannot query field "surname" on type "Person"',
    'where is the file?',
    'Item: chair is sold out',
    'Key: name is missing',
    '(a=b) is not allowed in a title',
    'Call has(name) first',
    'HSET is not allowed for this user',
    'Unknown command SET',
    "unknown command 'deploy' with args",
    'Bad value: 5 is more than 3',
    "Date '2026-13-01' is invalid",
    'ASK again later',
    'the operator $regex is not allowed here',
    '$match must be the first stage',
    'The field $set is reserved',
  ])('%s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });

  test.each<unknown>([
    { query: 'open orders', filter: { status: 'open' } },
    { filter: { status: 'open', page: 'next' }, error: 'unknown filter' },
    { query: { status: 'open' }, error: 'unknown parameter' },
    { query: { type: 'object', match: true } },
    { Item: 'chair', Key: 'a', error: 'sold out' },
    { command: { name: 'deploy', args: ['--dry-run', 'web'] } },
    { schema: { type: 'object', properties: { query: { type: 'string' } } } },
    { find: 'chair', error: 'nothing found' },
    { match: { home: 'Leeds', away: 'York' }, error: 'not played' },
    { term: 'autumn', query: 'courses' },
    { params: { name: 'limit' }, query: 'open orders' },
    { variables: { region: 'eu' }, error: 'unknown region' },
    { errors: [{ path: ['query', 'match'], message: 'is required' }] },
  ])('%j', (value) => {
    expect(redact(value).value).toEqual(value);
    expect(redact(JSON.stringify(value)).value).toBe(JSON.stringify(value));
  });
});
