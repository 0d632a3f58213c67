import { predictorForm } from '@pelt/model';

// Files of version 0.1 have another name for the same form.
if (predictorForm('improved') !== 'exponential-of-sum') throw new Error('the name of today');
