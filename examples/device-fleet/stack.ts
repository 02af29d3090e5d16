import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Winnow } from '@winnow-dev/cdk';
import { definitionOf } from '@winnow-dev/client/definition';
import { App, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { build } from 'esbuild';
import { Device } from './kinds.ts';

const app = new App();
const stack = new Stack(app, 'DeviceFleet');

// cdk deploy -c admin=arn:aws:iam::111122223333:role/Admin
const winnow = new Winnow(stack, 'Winnow', {
  principals: [app.node.tryGetContext('admin')].flat().filter(Boolean),
});
const devices = winnow.define('Devices', definitionOf(Device));

// The consumer keeps its set in this table.
const table = new Table(stack, 'Sets', {
  partitionKey: { name: 'pk', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
  timeToLiveAttribute: 'expires',
  billingMode: BillingMode.PAY_PER_REQUEST,
});

const folder = await mkdtemp(join(tmpdir(), 'device-fleet-'));
await build({
  entryPoints: [fileURLToPath(new URL('consumer.ts', import.meta.url))],
  outfile: join(folder, 'index.mjs'),
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  external: ['@aws-sdk/*'], // Lambda's runtime has it
});
const consumer = new LambdaFunction(stack, 'Consumer', {
  runtime: Runtime.NODEJS_24_X,
  handler: 'index.handler',
  code: Code.fromAsset(folder),
  environment: { TABLE: table.tableName },
});
table.grantReadWriteData(consumer);

const offline = winnow.subscribe('Offline', {
  name: 'offline-in-production',
  resource: { group: 'fleet.example', resource: 'devices' },
  labelSelector: 'connectivity=offline,environment=production',
  handler: consumer,
});
offline.node.addDependency(devices);
