import { describe, expect, it } from '@jest/globals';
import { portError, readInputs, writeInputs } from '../../../../console/reachability/inputs.ts';

describe('The inputs of the matrix in the address', () => {
  it('An address without inputs groups by app and asks about port 80', () => {
    expect(readInputs([], '')).toEqual({ key: 'app', port: '80', protocol: 'TCP' });
  });

  it('What is written is read back', () => {
    const inputs = { key: 'example.com/team', port: 'http', protocol: 'UDP' };
    const { keys, fields } = writeInputs(inputs);
    expect(readInputs(keys, fields)).toEqual(inputs);
  });

  it('An unknown protocol counts as absent', () => {
    expect(readInputs([], 'port=53,protocol=QUIC')).toMatchObject({ port: '53', protocol: 'TCP' });
  });

  it('A port is a number or a name', () => {
    expect(['80', '65535', 'http', 'web-1'].map(portError)).toEqual(Array(4).fill(undefined));
    for (const wrong of ['', '0', '65536', '8 0', 'HTTP', '-a', 'a-name-of-more-than-15']) {
      expect(portError(wrong)).toContain('Use a number');
    }
  });
});
