import type { Chance } from './chance.ts';
import { SAMPLE, type SampleObject } from './sample-object.ts';

const GROUP = 'fleet.example';
export const DEVICES = `/apis/${GROUP}/v1/namespaces/default/devices`;
const AMOUNT = 240;

/** The sites with their cities. */
const SITES = {
  north: ['oslo', 'turku', 'tromso'],
  south: ['porto', 'bari', 'split'],
  east: ['gdansk', 'brno', 'cluj'],
  west: ['cork', 'nantes', 'bilbao'],
} as const satisfies Record<string, readonly string[]>;

/** The kinds of devices, with their models. */
const MODELS = {
  camera: ['c2', 'c3-ptz'],
  sensor: ['t1', 't1-outdoor', 'h4'],
  gateway: ['g9'],
} as const satisfies Record<string, readonly string[]>;

/** The firmware versions of the first devices, oldest first. */
export const FIRMWARE = ['1.8', '1.9', '2.0'] as const;

const column = (name: string, jsonPath: string, priority = 0) => ({
  name,
  type: 'string',
  jsonPath,
  priority,
});
const text = (description: string) => ({ type: 'string', description });

/** The definition of the kind Device: that of the tutorial, with a place and more columns. */
export const deviceDefinition: SampleObject = {
  collection: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  body: {
    metadata: { name: `devices.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'devices', kind: 'Device', shortNames: ['dev'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: [
            column('Model', '.spec.model'),
            column('State', '.spec.state'),
            column('Site', '.metadata.labels.site'),
            column('Firmware', '.metadata.labels.firmware'),
            column('Connectivity', '.metadata.labels.connectivity'),
          ],
          selectableFields: [{ jsonPath: '.spec.state' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  required: ['model'],
                  properties: {
                    model: text('Which model it is.'),
                    state: {
                      type: 'string',
                      enum: ['active', 'retired'],
                      default: 'active',
                      description: 'Whether it is in use.',
                    },
                    place: text('Where it is mounted.'),
                  },
                },
              },
            },
          },
        },
      ],
    },
  },
};

/** Returns the devices: cameras, sensors and gateways of four sites. */
export function sampleDevices(chance: Chance): readonly SampleObject[] {
  const sites = Object.keys(SITES) as (keyof typeof SITES)[];
  const numbers = new Map<string, number>();
  return Array.from({ length: AMOUNT }, (_, index) => {
    const site = sites[index % sites.length] as keyof typeof SITES;
    const city = chance.pick(SITES[site]);
    const kind = chance.pick(['camera', 'camera', 'sensor', 'sensor', 'sensor', 'gateway'] as const);
    const number = (numbers.get(`${kind}-${city}`) ?? 0) + 1;
    numbers.set(`${kind}-${city}`, number);
    const ring = chance.pick(['canary', 'early', 'stable', 'stable', 'stable', 'stable']);
    return {
      collection: DEVICES,
      body: {
        apiVersion: `${GROUP}/v1`,
        kind: 'Device',
        metadata: {
          name: `${kind}-${city}-${String(number).padStart(2, '0')}`,
          labels: {
            [SAMPLE]: 'true',
            site,
            city,
            type: kind,
            environment: chance.pick(['production', 'production', 'production', 'qa', 'dev']),
            ring,
            firmware: ring === 'canary' ? FIRMWARE[2] : chance.pick(FIRMWARE.slice(0, 2)),
            connectivity: chance.next() < 0.06 ? 'offline' : 'online',
          },
        },
        spec: {
          model: chance.pick(MODELS[kind]),
          state: chance.next() < 0.04 ? 'retired' : 'active',
          place: chance.pick(['roof', 'hall', 'gate', 'depot', 'office']),
        },
      },
    };
  });
}
