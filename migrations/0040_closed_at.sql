-- When the member closed its account, epoch ms; null while it is open. The row stays for the orders, invoices and ledger entries
-- that the law keeps, without anything that says who it was.
alter table members add column closed_at bigint;
