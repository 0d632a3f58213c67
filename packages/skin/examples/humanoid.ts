import { recogniseHumanoid } from '@pelt/skin/puppet/runtime';
import { PERFORMER_BONES } from '@pelt/testkit';

const { by, arms, legs } = recogniseHumanoid(PERFORMER_BONES, 'performer');
if (by !== 'names' || arms.length !== 2 || legs.length !== 2) throw new Error('a body has two arms and two legs');
