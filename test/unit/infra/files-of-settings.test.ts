import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readAuditPolicy } from '../../../infra/read-audit-policy.ts';
import { readSchedulerProfile } from '../../../infra/read-scheduler-profile.ts';
import { ENVIRONMENT } from '../../../lib/platform/index.ts';
import { functionOf, functionsOf, statementsOf, synthesized } from './synthesized.ts';

const policyOf = (rules: unknown) => JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });

/** The functions that have this variable with this value. */
function knowing(
  template: Awaited<ReturnType<typeof synthesized>>,
  variable: string,
  known: string,
): string[] {
  return functionsOf(template)
    .filter((name) => {
      const { Environment } = functionOf(template, name)[1] as { Environment?: { Variables?: object } };
      return Object.entries(Environment?.Variables ?? {}).some(
        ([key, value]) => key === variable && value === known,
      );
    })
    .toSorted();
}

/** Lends a temporary folder to `use`. */
async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-files-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the setting webhooks', () => {
  const ARN = 'arn:aws:lambda:eu-west-1:111122223333:function:guard';

  it('reaches the function that writes, which may then invoke the listed functions', async () => {
    const webhooks = JSON.stringify({
      hosts: ['a.example'],
      services: { 'shop/guard': ARN, 'shop/off': 'ignore' },
    });
    const template = await synthesized({ webhooks });
    const list = `{"hosts":["a.example"],"privateHosts":[],"functions":[],"services":{"shop/guard":"${ARN}","shop/off":"ignore"}}`;
    expect(knowing(template, ENVIRONMENT.webhooks, list)).toEqual(['write']);
    const invoking = JSON.stringify(template.Resources);
    expect(invoking).toContain(`"Resource":"${ARN}"`);
  });

  it.each([
    ['names an unknown member', { host: [] }, 'host: unknown'],
    [
      'is too long',
      { hosts: Array.from({ length: 200 }, (_, at) => `host-${at}.example`) },
      'the limit is 2000',
    ],
  ])('a list that %s fails the deployment', async (_how, list, why) => {
    await expect(synthesized({ webhooks: JSON.stringify(list) })).rejects.toThrow(why);
  });
});

describe('the setting auditPolicy', () => {
  it('only the functions that answer requests get the audit policy', async () => {
    const auditPolicy = policyOf([{ level: 'Metadata' }]);
    const template = await synthesized({ auditPolicy });
    expect(knowing(template, ENVIRONMENT.auditPolicy, auditPolicy)).toEqual(['place', 'read', 'write']);
  });

  it('only the functions that answer requests may send audit events to the audit queue', async () => {
    const auditPolicy = policyOf([{ level: 'Metadata' }]);
    const auditQueue = 'arn:aws:sqs:eu-west-1:111122223333:audit';
    const template = await synthesized({ auditPolicy, auditQueue, serviceAccountTokens: true });
    const answering = ['issue', 'place', 'read', 'write'];
    const sending = functionsOf(template).filter((name) =>
      statementsOf(template, name).some(({ Action, Resource }) => {
        return Resource === auditQueue && [Action].flat().join() === 'sqs:SendMessage';
      }),
    );
    expect(sending.toSorted()).toEqual(answering);
    const urls = functionsOf(template).flatMap((name) => {
      const { Environment } = functionOf(template, name)[1] as {
        Environment?: { Variables?: Record<string, unknown> };
      };
      const url = Environment?.Variables?.[ENVIRONMENT.auditQueueUrl];
      return url === undefined ? [] : [[name, url]];
    });
    const url = {
      'Fn::Join': ['', ['https://sqs.eu-west-1.', { Ref: 'AWS::URLSuffix' }, '/111122223333/audit']],
    };
    expect(urls.toSorted()).toEqual(answering.map((name) => [name, url]));
  });

  it.each([
    ['no queue', 'audit', 'auditQueue is audit, which is not the ARN of a standard SQS queue'],
    [
      'a FIFO queue',
      'arn:aws:sqs:eu-west-1:111122223333:audit.fifo',
      'is not the ARN of a standard SQS queue',
    ],
  ])('audit events are not sent to %s', async (_what, auditQueue, why) => {
    const auditPolicy = policyOf([{ level: 'Metadata' }]);
    await expect(synthesized({ auditPolicy, auditQueue })).rejects.toThrow(why);
  });

  it('an audit queue needs an audit policy', async () => {
    const auditQueue = 'arn:aws:sqs:eu-west-1:111122223333:audit';
    await expect(synthesized({ auditQueue })).rejects.toThrow('auditQueue needs auditPolicy');
  });

  it.each([
    ['is none', policyOf([{ level: 'All' }]), 'rules[0].level'],
    ['is too long', policyOf([{ level: 'None', users: ['x'.repeat(3_000)] }]), 'the limit is 3000'],
  ])('an audit policy that %s fails the deployment', async (_how, auditPolicy, why) => {
    await expect(synthesized({ auditPolicy })).rejects.toThrow(why);
  });

  it('the audit policy is read from a YAML file', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'audit.yaml');
      writeFileSync(file, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n');
      await expect(readAuditPolicy(file)).resolves.toBe(policyOf([{ level: 'Metadata' }]));
      writeFileSync(file, 'kind: Policy\n');
      await expect(readAuditPolicy(file)).rejects.toThrow('apiVersion: must be audit.k8s.io/v1');
    }));

  it.each([
    ['is not YAML', 'rules: ['],
    ['is no policy', 'kind: Policy'],
  ])('an audit policy that %s is refused with its file name', (_how, text) =>
    withFolder(async (folder) => {
      const file = join(folder, 'audit.yaml');
      writeFileSync(file, text);
      await expect(readAuditPolicy(file)).rejects.toThrow(`${file}: `);
    }),
  );
});

describe('the setting serviceClusterIPRange', () => {
  it('only the function that allots addresses gets the range of clusterIPs', async () => {
    const range = '10.64.0.0/16';
    const template = await synthesized({ serviceClusterIPRange: range });
    expect(knowing(template, ENVIRONMENT.serviceClusterIPRange, range).sort()).toEqual([
      'reconcile',
      'write',
    ]);
  });

  it('an invalid range of clusterIPs fails the deployment', async () => {
    await expect(synthesized({ serviceClusterIPRange: '10.64.0.0/33' })).rejects.toThrow(
      'must be an IPv4 network',
    );
  });
});

describe('the setting watchesPerUser', () => {
  it('the functions that serve and count watches get the limit of watches', async () => {
    const template = await synthesized({ watchesPerUser: 20 });
    expect(knowing(template, ENVIRONMENT.watchesPerUser, '20').sort()).toEqual(['fill', 'read']);
  });

  it('an invalid number of watches fails the deployment', async () => {
    await expect(synthesized({ watchesPerUser: 0.5 })).rejects.toThrow(
      'must be a whole number from 1 to 1000',
    );
  });
});

describe('the setting historyDays', () => {
  it('the functions that write objects get the days of history', async () => {
    const template = await synthesized({
      historyDays: 7,
      canary: true,
      placement: true,
      derived: ['status'],
    });
    const writers = ['bind', 'canary', 'derive', 'dispatch', 'reconcile', 'write'];
    expect(knowing(template, ENVIRONMENT.historyDays, '7')).toEqual(expect.arrayContaining(writers));
  });

  it('an invalid number of days fails the deployment', async () => {
    await expect(synthesized({ historyDays: 36 })).rejects.toThrow('must be a whole number from 1 to 35');
  });
});

describe('the profile of the scheduler', () => {
  const AFFINITY =
    '{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"pool","operator":"Exists"}]}]}}';

  const many = Array.from({ length: 300 }, (_, at) => `value-${at}`);
  const LONG = AFFINITY.replace('"Exists"', `"In","values":${JSON.stringify(many)}`);

  it('the functions that place pods get the scheduler profile, and place gets snapshots if pods are bound', async () => {
    const schedulerProfile = `{"addedAffinity":${AFFINITY},"hardPodAffinityWeight":5}`;
    const template = await synthesized({ schedulerProfile, placement: true });
    expect(knowing(template, ENVIRONMENT.schedulerProfile, schedulerProfile)).toEqual(['bind', 'place']);
    expect(knowing(template, ENVIRONMENT.worldSnapshots, 'true')).toEqual(['place']);
    expect(knowing(await synthesized(), ENVIRONMENT.worldSnapshots, 'true')).toEqual([]);
  });

  it.each([
    ['is none', '{"hardPodAffinityWeight":101}', 'not in valid range'],
    ['is too long', `{"addedAffinity":${LONG}}`, 'the limit is 2000'],
  ])('a scheduler profile that %s fails the deployment', async (_how, schedulerProfile, why) => {
    await expect(synthesized({ schedulerProfile })).rejects.toThrow(why);
  });

  it('the scheduler profile is read from a file and a number', () =>
    withFolder(async (folder) => {
      const file = join(folder, 'affinity.yaml');
      writeFileSync(file, AFFINITY);
      const added = readSchedulerProfile({ addedAffinity: file });
      await expect(added).resolves.toBe(`{"addedAffinity":${AFFINITY}}`);
      await expect(readSchedulerProfile({ hardPodAffinityWeight: 0 })).resolves.toBe(
        '{"hardPodAffinityWeight":0}',
      );
      await expect(readSchedulerProfile({})).resolves.toBeUndefined();
      await expect(readSchedulerProfile({ hardPodAffinityWeight: Number.NaN })).rejects.toThrow('range');
      writeFileSync(
        file,
        'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: foo}]\n',
      );
      await expect(readSchedulerProfile({ addedAffinity: file, hardPodAffinityWeight: 5 })).resolves.toBe(
        '{"bySchedulerName":{"foo":{}},"hardPodAffinityWeight":5}',
      );
      writeFileSync(file, 'nodeAffinity: {}');
      await expect(readSchedulerProfile({ addedAffinity: file })).rejects.toThrow(
        'unknown field "nodeAffinity"',
      );
    }));
});
