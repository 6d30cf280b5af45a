import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('literals of SQL, however they are quoted and wherever they stand', () => {
  test.each([
    "UPDATE staff SET name = 'Ilse Brandt' WHERE id = 4",
    'SELECT hire($$Ilse Brandt$$)',
    'INSERT INTO staff (name) VALUES ($q$Ilse Brandt$q$)',
    'SELECT $body$Ilse Brandt; and more$body$ AS name FROM staff',
    "UPDATE staff SET name = q'[Ilse Brandt]' WHERE id = 4",
    "INSERT INTO staff VALUES (7, q'{Ilse Brandt}')",
    "INSERT INTO staff VALUES (nq'!Ilse Brandt!')",
    "INSERT INTO staff SELECT 'Ilse Brandt', 4 FROM dual",
    "insert into staff select 'Ilse Brandt', 4 from dual",
    "MERGE INTO staff USING (SELECT 'Ilse Brandt' name) s ON (staff.name = s.name)",
    "merge into staff using (select 'Ilse Brandt' as name) s on staff.name = s.name",
    "WITH one AS (SELECT 'Ilse Brandt' AS name) SELECT * FROM one",
    "SELECT E'Ilse\\tBrandt' FROM staff",
    "SELECT CASE WHEN name = 'Ilse Brandt' THEN 1 END FROM staff",
    "SELECT COALESCE(name, 'Ilse Brandt') FROM staff",
    "SELECT DISTINCT 'Ilse Brandt' FROM staff",
    "SELECT id FROM staff UNION SELECT 'Ilse Brandt'",
    "SELECT 'Ilse Brandt'",
    "select coalesce(name, 'Ilse Brandt') from staff",
    "select 'Ilse Brandt' as name from staff",
    "SELECT U&'Ilse Brandt' AS name",
    "EXECUTE IMMEDIATE 'UPDATE staff SET name = ''Ilse Brandt'' WHERE id = 4'",
    "UPDATE staff SET name = 'O\\'Neil Brandt' WHERE id = 4",
    '{"sql":"SELECT id FROM staff WHERE name = \\"Ilse Brandt\\""}',
    "ALTER TABLE staff ADD CHECK (name <> 'Ilse Brandt')",
    "CREATE TABLE staff (name text DEFAULT 'Ilse Brandt')",
    "SELECT id FROM staff WHERE name = _utf8mb4'Ilse Brandt'",
  ])('%s', (text) => {
    const { value } = redact(text);
    expect(value).not.toMatch(/Ilse|Brandt/);
    expect(value).toContain('[sql:');
  });

  test.each([
    "Select 'Export' from the menu and try again",
    "please select 'Export' from settings (or 'Import')",
    "(select 'Save' from the list)",
    "You have to select 'all' or 'none'",
    'SELECT "id", "name" FROM "staff"',
    "SELECT date_trunc('month', hired) FROM staff",
    "SELECT to_char(hired, 'YYYY-MM-DD') FROM staff",
    "SELECT data->>'name' FROM staff",
    "SELECT count(*) AS 'total' FROM staff",
    "SELECT json_extract(data, '$.name') FROM staff",
    "create a table 'staff' first, then insert rows",
    'the price is $$ and more $$',
    'SELECT $1, $2 FROM staff',
  ])('stays: %s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});
