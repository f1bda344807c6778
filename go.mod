module versus2048

go 1.26
