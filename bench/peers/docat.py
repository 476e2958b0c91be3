"""
What docat does with an upload, with the same parts: FastAPI and uvicorn receive the form with python-multipart,
the file is copied into the folder of the version, unpacked there by zipfile, and removed.

    python3 docat.py <folder> <port>
"""

import shutil
import sys
from pathlib import Path
from zipfile import ZipFile

import uvicorn
from fastapi import FastAPI, File, UploadFile

folder = Path(sys.argv[1])
app = FastAPI()


@app.post("/api/{project}/{version}", status_code=201)
def upload(project: str, version: str, file: UploadFile = File(...)):
    target = folder / project / version
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    archive = target / "upload.zip"
    file.file.seek(0)
    with archive.open("wb") as copy:
        shutil.copyfileobj(file.file, copy)
    with ZipFile(archive) as contents:
        contents.extractall(target)
    archive.unlink()
    return {"message": "File successfully uploaded"}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error")
