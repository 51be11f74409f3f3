"""What source code does with the names of lanes: logs them, puts them on a receipt, or only says them."""
