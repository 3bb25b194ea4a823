import type { ReactNode } from 'react';

export type Column<Row> = {
  name: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Figures stand to the right. */
  numeric?: boolean;
  /** Where a row is a card: its heading (else the first column is) or what stands beside that. */
  card?: 'title' | 'corner';
  /** Where a row stays a row: left out for want of room. */
  wide?: boolean;
  className?: string;
};

export type DataRows<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
};
