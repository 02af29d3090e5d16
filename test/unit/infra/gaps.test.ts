import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { emulators, gapsOf } from '../../../infra/emulators.ts';
import type { Template } from '../../../infra/local/template.ts';
import { type Properties, properties, type Statement, synthesized } from './synthesized.ts';

let aws: Template;
let emulated: Template;
beforeAll(async () => {
  aws = await synthesized();
  emulated = await synthesized({ streaming: true, emulator: 'ministack' });
});

function statements(template: Template, sid: string): Statement[] {
  const policies = properties(template, 'AWS::IAM::Policy');
  return policies.flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.filter(({ Sid }: Statement) => Sid === sid),
  );
}

function integrations(template: Template): Properties[] {
  return properties(template, 'AWS::ApiGateway::Method').map(({ Integration }) => Integration);
}

describe('the template for AWS', () => {
  it('the template for AWS has no gaps', () => {
    expect(aws.Metadata).toBeUndefined();
    expect(JSON.stringify(aws)).not.toContain('SendMessageBatch');
  });
});

describe('the template for an emulator', () => {
  it('the template for an emulator lists its gaps with reasons', () => {
    expect(emulated.Metadata).toEqual({ 'winnow:gaps': gapsOf('ministack') });
    for (const reason of Object.values(gapsOf('ministack'))) expect(reason).toMatch(/\S; \S/);
  });

  it('the template buffers every response if the emulator cannot stream', () => {
    expect(integrations(emulated).filter((one) => one.ResponseTransferMode === 'STREAM')).toEqual([]);
    expect(integrations(aws).some((one) => one.ResponseTransferMode === 'STREAM')).toBe(true);
  });

  it('the template omits the condition on rows that the emulator never meets', () => {
    const keysOf = (template: Template) => JSON.stringify(statements(template, 'FillHoles'));
    expect(keysOf(aws)).toContain('dynamodb:LeadingKeys');
    expect(keysOf(emulated)).not.toContain('dynamodb:LeadingKeys');
  });

  it('the template grants sending batches wherever it grants sending', () => {
    const sending = ['SendHints', 'SendWork', 'Deliver', 'GiveUp'];
    for (const { Action } of sending.flatMap((sid) => statements(emulated, sid))) {
      expect(Action).toEqual(expect.arrayContaining(['sqs:SendMessage', 'sqs:SendMessageBatch']));
    }
  });

  it('the template grants batch deletes and visibility changes to consumers', () => {
    const taking = statements(emulated, 'Consume');
    expect(taking).toHaveLength(2);
    for (const { Action } of taking) {
      const batches = ['sqs:DeleteMessageBatch', 'sqs:ChangeMessageVisibilityBatch'];
      expect(Action).toEqual(expect.arrayContaining(batches));
    }
  });

  it('the template for an emulator has the same resource types as the one for AWS, except metric filters', () => {
    const types = ({ Resources }: Template) =>
      Object.values(Resources).flatMap(({ Type }) => (Type === 'AWS::Logs::MetricFilter' ? [] : [Type]));
    expect(types(emulated)).toEqual(types(aws));
  });
});

describe('gapsOf', () => {
  it('gapsOf returns no gaps without an emulator', () => {
    expect(gapsOf(undefined)).toEqual({});
  });

  it('gapsOf refuses an unknown emulator', () => {
    expect(() => gapsOf('moto')).toThrow('unknown emulator moto; use ministack or localstack');
  });
});

describe('docs/deploy/README.md', () => {
  it('the page lists exactly the gaps of every emulator', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/deploy/README.md'), 'utf8');
    const rows = emulators.flatMap((emulator) =>
      Object.entries(gapsOf(emulator)).map(
        ([feature, reason]) => `| ${emulator} | \`${feature}\` | ${reason} |`,
      ),
    );
    expect(page.split('\n').filter((line) => /^\| (ministack|localstack) /.test(line))).toEqual(rows);
  });
});
