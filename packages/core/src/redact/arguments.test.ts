import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('passwords among the arguments of tools', () => {
  test.each([
    'mosquitto_sub -h mq.example.com -u meter -P W4lnut93x -t a',
    'smbclient //nas.example.com/share -U meter%W4lnut93x',
    "smbclient //nas.example.com/share -U 'ACME\\meter%W4lnut93x'",
    'rpcclient -U "meter%W4lnut93x" nas.example.com',
    'winexe -U ACME/meter%W4lnut93x //nas.example.com cmd',
    'mc alias set store https://s3.example.com meter W4lnut93x',
    'mc config host add store https://s3.example.com meter W4lnut93x',
    'cf login -a api.example.com -u meter -p W4lnut93x',
    'evil-winrm -i nas.example.com -u meter -p W4lnut93x',
    'oc login https://api.example.com --username=meter -p W4lnut93x',
    "cypher-shell -u meter -p 'W4lnut93x'",
    'rabbitmqadmin -u meter -p W4lnut93x list queues',
    'useradd -p W4lnut93x meter',
    'ssh-keygen -t ed25519 -N W4lnut93x -f key',
    'psexec.py acme/meter:W4lnut93x@nas.example.com',
    'vault login W4lnut93xW4lnut93x',
    'wpa_passphrase attic W4lnut93x',
  ])('%s', (text) => {
    expect(redact(text).value).not.toContain('W4lnut93x');
  });

  test.each([
    'docker run -u app -p 8080:80 web1',
    'ssh -l meter -p 2222 nas.example.com',
    'rsync -u meter -p ./out1/x2',
    'mosquitto_sub -p 8883 -t sensors/a1',
    'mkdir -p /srv/data1',
    'mc alias set NAME URL ACCESSKEY SECRETKEY',
    'vault login -method=userpass username=meter',
    'the load was -U 80%',
    'ssh-keygen -t ed25519 -f key1',
  ])('stays: %s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});
