"""The ledger offline: what captures show was sent, against what receipts say was written."""
