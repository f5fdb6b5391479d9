"""What a fitted model looks like as a whole: parameters, scales, densities, regions, its story; data only."""
