import type { SequenceErrors } from '@pelt/model';
import { formatNumber } from '../terminal/amounts.ts';

/** The metrics as a table for people. */
export function errorRows(error: SequenceErrors): [label: string, value: string][] {
  return [
    ['E_RMS', `${formatNumber(error.eRms)}  (thousandths of the enclosing radius, per coordinate)`],
    ['RMSE', `${formatNumber(error.rmsePercent)} % of the box diagonal`],
    ['distortion', `${formatNumber(error.distortionPercent)} %`],
    ['largest', `${formatNumber(error.max)} in the model's unit`],
    ['99.9 %', `${formatNumber(error.p999)} or less`],
    ['normals', `${formatNumber(error.normalAngleDegrees)}° off on average`],
  ];
}
