import type { ReactNode } from 'react';

export type Column<Row> = {
  name: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Aligns numbers to the right. */
  numeric?: boolean;
  /** The place of the value on a card: its heading or its corner. Without a `title`, the first column is the heading. */
  card?: 'title' | 'corner';
  /** Hides the column on a narrow screen that shows rows. */
  wide?: boolean;
  className?: string;
};

export type DataRows<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
};
