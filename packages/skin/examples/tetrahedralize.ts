import { tetrahedralize } from '@pelt/skin/tetrahedra';
import { cylinder } from '@pelt/testkit';

const { mesh, report } = tetrahedralize(cylinder().mesh, { spacing: 1.5 });
const fit = report.volume / report.surfaceVolume;
if (mesh.tetrahedra.length !== 4 * report.tetrahedra || Math.abs(fit - 1) > 0.05) throw new Error('a poor fit');
