/** Reads which column of a file a field is: `phone=HP,nama=Nama`. */
import { InvalidArgumentError } from 'commander';

export type FieldPairs = readonly (readonly [field: string, column: string])[];

/** A comma belongs to a column if no `field=` follows it. */
export const fieldPairs = (text: string): FieldPairs =>
  text.split(/,(?=[^,=]+=)/).map((pair) => {
    const [, field = '', column = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (field === '') throw new InvalidArgumentError('Write field=column, such as phone=HP,name=Nama.');
    return [field.trim(), column.trim()] as const;
  });

export function phoneColumn(pairs: FieldPairs): string {
  const column = pairs.find(([field]) => field === 'phone')?.[1];
  if (column === undefined) throw new InvalidArgumentError('Name the column with phone numbers: phone=COLUMN.');
  return column;
}
